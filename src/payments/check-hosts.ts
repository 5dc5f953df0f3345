import { type PaymentStartRequest, Problem } from '../contract/index.ts'
import type { Parts } from '../parts.ts'
import { hostOf, mayUsePort, mostHosts, type Shop, unlisted } from '../shops/shop.ts'
import type { World } from '../world.ts'
import type { Payment } from './ledger/payment.ts'

const noteAtMost = 10_000

type Noting = Parts<'world' | 'store' | 'payments'>

/** Refuses (`HOST_NOT_ALLOWED`, with each field) addresses that must not be called, or are not on the closed list of the shop. */
export function checkHosts(
  { world, payments }: Parts<'world' | 'payments'>,
  { hosts }: Shop,
  { redirect_url, webhook_url }: PaymentStartRequest,
): void {
  const faults = Object.entries({ webhook_url, redirect_url })
    .filter(([, url]) => hosts.confirmed && unlisted(hosts, [url]).length > 0)
    .map(([path]) => ({ path, message: 'must name a host on the list of the shop' }))
  if (!mayBeCalled(world, webhook_url)) {
    faults.push({
      path: 'webhook_url',
      message: 'must be an https address of a public host, not of this provider',
    })
  } else if (!payments.development && !mayUsePort(hosts, webhook_url)) {
    faults.push({ path: 'webhook_url', message: 'must use port 443, or a port on the list of the shop' })
  }
  if (faults.length > 0) throw new Problem('HOST_NOT_ALLOWED', { faults })
}

/** With an open list: notes every new host of an order and logs it once, and warns if a later call names another host without effect. */
export async function noteHosts(
  workings: Noting,
  { id, hosts }: Shop,
  { redirect_url, webhook_url, order }: PaymentStartRequest,
  { redirectUrl, webhookUrl }: Payment,
): Promise<void> {
  if (hosts.confirmed) return
  const { world, payments } = workings
  const inVain = {
    ...(webhook_url !== webhookUrl && { webhook_url: hostOf(webhook_url) }),
    ...(redirect_url !== redirectUrl && { redirect_url: hostOf(redirect_url) }),
  }
  if (Object.keys(inVain).length > 0)
    world.observer.refused('OTHER_HOST', { shop: id, order: order.id, ...inVain })
  // A customer's own browser follows `redirect_url` anywhere; on the list it would say that the shop has a host there.
  const others = unlisted(hosts, [webhookUrl, redirectUrl]).filter((host) =>
    mayBeCalled(world, `https://${host}/`),
  )
  if (others.length === 0) return
  const { notedHosts: notes } = payments.memory
  const keyOf = (host: string) => `${id} ${host}`
  const fresh = others.filter((host) => !notes.has(keyOf(host)))
  if (fresh.length > 0) {
    if (notes.size >= noteAtMost) notes.clear()
    const noting = noteNew(workings, { id, hosts }, fresh)
    for (const host of fresh) notes.set(keyOf(host), noting)
    // The next call tries again.
    noting.catch(() => {
      for (const host of fresh) notes.delete(keyOf(host))
    })
  }
  // Calls of one moment wait for one note.
  await Promise.all(others.flatMap((host) => notes.get(keyOf(host)) ?? []))
}

async function noteNew(
  { store, world, payments }: Noting,
  { id, hosts }: Pick<Shop, 'id' | 'hosts'>,
  fresh: readonly string[],
): Promise<void> {
  await store.changeHosts(id, { add: fresh }, world.now())
  for (const host of fresh) {
    const about = { shop: id, host, noted: hosts.names.length < mostHosts }
    const message = 'a new host in the addresses of a shop: close the list with purveyor shop hosts confirm'
    world.log[payments.development ? 'info' : 'warn'](about, message)
  }
}

function mayBeCalled({ outgoing }: World, url: string): boolean {
  try {
    outgoing.check(url)
    return true
  } catch {
    return false
  }
}
