import type { Provider } from '../../provider/provider.ts'
import type { HostsChange } from '../../store.ts'
import { ofShop } from '../kinds.ts'
import { systemUser } from '../system-user.ts'
import type { Command } from '../table.ts'
import { print } from '../terminal/print.ts'

const names = { '<host...>': 'such as shop.example.com, or shop.example.com:8443' }

const list = ofShop({
  description: 'list the hosts',
  examples: ['purveyor shop hosts list bikes'],
  run: ({ shop, json }, provider) => change(provider, shop, {}, json),
})

const confirm = ofShop({
  description: 'close the list; every other host is refused',
  examples: ['purveyor shop hosts confirm bikes shop.bikes.example'],
  arguments: { '[host...]': 'the whole list; default: the hosts seen so far' },
  run: ({ shop, host, json }, provider) =>
    change(provider, shop, { add: host, only: host.length > 0, confirm: true }, json),
})

const add = ofShop({
  description: 'add hosts',
  examples: ['purveyor shop hosts add bikes pay.bikes.example'],
  arguments: names,
  run: ({ shop, host, json }, provider) => change(provider, shop, { add: host }, json),
})

const remove = ofShop({
  description: 'remove hosts',
  examples: ['purveyor shop hosts remove bikes pay.bikes.example'],
  arguments: names,
  run: ({ shop, host, json }, provider) => change(provider, shop, { remove: host }, json),
})

async function change(
  { shops }: Provider,
  id: string,
  hosts: HostsChange,
  json: boolean | undefined,
): Promise<void> {
  const now = await shops.changeHosts(id, hosts, { by: systemUser() })
  print(json, { shop: id, ...now }, () => [
    now.confirmed
      ? `Shop ${id} accepts these hosts only:`
      : `Shop ${id} accepts any public host. Seen so far:`,
    ...now.hosts.map((host) => `  ${host}`),
    ...(now.hosts.length === 0 ? ['  none'] : []),
    ...(now.confirmed ? [] : [`To close the list: purveyor shop hosts confirm ${id} <host...>`]),
  ])
}

export const hosts: Command = {
  description: 'manage the hosts allowed in webhook_url and redirect_url',
  commands: { list, confirm, add, remove },
}
