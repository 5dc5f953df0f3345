import { type PaymentStartRequest, Problem } from '../contract/index.ts'
import type { Payment } from '../payments/payment.ts'
import { hostOf, mostHosts, unlisted } from '../shops/hosts.ts'
import type { Shop } from '../shops/shop.ts'
import type { Provider } from './provider.ts'

const noted = new WeakMap<Provider, Set<string>>()
const noteAtMost = 10_000

/** Refuses (`HOST_NOT_ALLOWED`) addresses of a payment whose host is not on the closed list of the shop. */
export function checkHosts({ hosts }: Shop, { redirect_url, webhook_url }: PaymentStartRequest): void {
  if (hosts.confirmed && unlisted(hosts, [webhook_url, redirect_url]).length > 0)
    throw new Problem('HOST_NOT_ALLOWED')
}

/**
 * With an open list: notes every new host that an order leads to, with one line in the log, and warns of a host that a later call
 * named in vain.
 */
export async function noteHosts(
  provider: Provider,
  { id, hosts }: Shop,
  { redirect_url, webhook_url, order }: PaymentStartRequest,
  { redirectUrl, webhookUrl }: Payment,
): Promise<void> {
  if (hosts.confirmed) return
  const { observer } = provider.world
  const inVain = {
    ...(webhook_url !== webhookUrl && { webhook_url: hostOf(webhook_url) }),
    ...(redirect_url !== redirectUrl && { redirect_url: hostOf(redirect_url) }),
  }
  if (Object.keys(inVain).length > 0) observer.refused('OTHER_HOST', { shop: id, order: order.id, ...inVain })
  const others = unlisted(hosts, [webhookUrl, redirectUrl]).filter((host) => isPublic(provider, host))
  if (others.length === 0) return
  const known = noted.get(provider) ?? new Set<string>()
  noted.set(provider, known)
  const fresh = others.filter((host) => !known.has(`${id} ${host}`))
  if (fresh.length === 0) return
  await provider.store.changeHosts(id, { add: fresh }, provider.world.now())
  if (known.size >= noteAtMost) known.clear()
  for (const host of fresh) {
    known.add(`${id} ${host}`)
    const about = { shop: id, host, noted: hosts.names.length < mostHosts }
    const message = 'a new host in the addresses of a shop: close the list with purveyor shop hosts confirm'
    if (provider.development) provider.world.log.info(about, message)
    else provider.world.log.warn(about, message)
  }
}

/** A shopper's own browser follows `redirect_url` anywhere; on the list it would say that the shop has a host there. */
function isPublic({ world }: Provider, host: string): boolean {
  try {
    world.outgoing.check(`https://${host}/`)
    return true
  } catch {
    return false
  }
}
