import { Problem } from '../contract/index.ts'
import { mostHosts, unlisted } from '../shops/hosts.ts'
import type { Shop } from '../shops/shop.ts'
import type { Provider } from './provider.ts'

const noted = new WeakMap<Provider, Set<string>>()
const noteAtMost = 10_000

/**
 * Refuses (`HOST_NOT_ALLOWED`) addresses of a payment whose host is not on the confirmed list of the shop. Without a confirmed
 * list every new host is noted, and told of once.
 */
export async function checkHosts(
  provider: Provider,
  { id, hosts }: Shop,
  urls: readonly string[],
): Promise<void> {
  const others = unlisted(hosts, urls)
  if (others.length === 0) return
  if (hosts.confirmed) throw new Problem('HOST_NOT_ALLOWED')
  const known = noted.get(provider) ?? new Set<string>()
  noted.set(provider, known)
  const fresh = others.filter((host) => !known.has(`${id} ${host}`))
  if (fresh.length === 0) return
  await provider.store.changeHosts(id, { add: fresh }, provider.world.now())
  if (known.size >= noteAtMost) known.clear()
  for (const host of fresh) {
    known.add(`${id} ${host}`)
    const about = { shop: id, host, noted: hosts.names.length < mostHosts }
    const message = 'a new host in the addresses of a shop: confirm the list with purveyor shop hosts confirm'
    if (provider.development) provider.world.log.info(about, message)
    else provider.world.log.warn(about, message)
  }
}
