import type { HostsChange } from '../../store.ts'
import type { ProviderOption as Options } from '../provider/with-provider.ts'
import { systemUser } from '../system-user.ts'
import { print } from '../terminal/print.ts'
import { withShops } from './shop.ts'

export const list = (id: string, options: Options) => change(id, {}, options)
export const add = (id: string, names: string[], options: Options) => change(id, { add: names }, options)
export const remove = (id: string, names: string[], options: Options) =>
  change(id, { remove: names }, options)
export const confirm = (id: string, names: string[], options: Options) =>
  change(id, { add: names, only: names.length > 0, confirm: true }, options)

function change(id: string, hosts: HostsChange, options: Options): Promise<void> {
  return withShops(options, async (shops) => {
    const now = await shops.changeHosts(id, hosts, { by: systemUser() })
    print(options.json, { shop: id, ...now }, () => [
      now.confirmed
        ? `Shop ${id} accepts these hosts only:`
        : `Shop ${id} accepts any public host. Seen so far:`,
      ...now.hosts.map((host) => `  ${host}`),
      ...(now.hosts.length === 0 ? ['  none'] : []),
      ...(now.confirmed ? [] : [`To close the list: purveyor shop hosts confirm ${id} <host...>`]),
    ])
  })
}
