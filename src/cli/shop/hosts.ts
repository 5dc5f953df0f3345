import type { Provider } from '../../provider/provider.ts'
import type { HostsChange } from '../../store.ts'
import { type Command, group, type Options, ofShop } from '../table.ts'
import { complain, print } from '../terminal/print.ts'

const names = { '<host...>': 'such as shop.example.com, or shop.example.com:8443' }

/** A command that changes the list of hosts of a shop, then shows it. */
const changing = (
  description: string,
  example: string,
  change: (hosts: readonly string[]) => HostsChange,
  takes: Options = names,
): Command =>
  ofShop({
    description,
    examples: [`purveyor shop hosts ${example}`],
    arguments: takes,
    async run(given, { shops }) {
      const { shop, host = [], json, by } = given as typeof given & { shop: string; host?: string[] }
      const now = await shops.changeHosts(shop, change(host), { by })
      print(json, { shop, ...now }, () => [
        `Shop ${shop} accepts ${now.confirmed ? 'these hosts only:' : 'any public host. Seen so far:'}`,
        ...now.hosts.map((host) => `  ${host}`),
        now.hosts.length === 0 && '  none',
        !now.confirmed && `To close the list: purveyor shop hosts confirm ${shop} <host...>`,
      ])
    },
  })

export const hosts = group('manage the hosts allowed in webhook_url and redirect_url', {
  list: changing('list the hosts', 'list bikes', () => ({}), {}),
  confirm: changing(
    'close the list; every other host is refused',
    'confirm bikes shop.bikes.example',
    (add) => ({ add, only: add.length > 0, confirm: true }),
    { '[host...]': 'the whole list; default: the hosts seen so far' },
  ),
  add: changing('add hosts', 'add bikes pay.bikes.example', (add) => ({ add })),
  remove: changing('remove hosts', 'remove bikes pay.bikes.example', (remove) => ({ remove })),
})

/** Warns on standard error that the list of hosts of a shop is open, and says how to close it. */
export async function warnOfOpenHosts({ services, shops }: Provider, shop: string): Promise<void> {
  if (!services.includes('payments') || (await shops.show(shop)).hostsConfirmed) return
  complain(
    `Shop ${shop} accepts any public host in webhook_url and redirect_url. To close its list of hosts: purveyor shop hosts confirm ${shop} <host...>`,
  )
}
