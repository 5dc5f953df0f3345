import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { type ChosenPaymentMethod, type PaymentStartRequest, Problem } from '../contract/index.ts'
import { wrongAnswer } from '../errors/errors.ts'
import { type Decimal, decimal, readDecimal } from '../money/index.ts'
import type { Parts } from '../parts.ts'
import { hostOf, mayUsePort, mostHosts, type Shop, unlisted } from '../shops/shop.ts'
import type { World } from '../world.ts'
import { startFailed } from './call-start.ts'
import type { Payment } from './ledger/payment.ts'
import type { PaymentMode } from './ledger/report.ts'
import { isTolerable } from './ledger/status.ts'

// A POST /payment chooses a method, and is checked before it opens an attempt.

// POST /payment names a method and no adapter, in two fields that live platforms fill differently: `id` names the service and `method`
// the choice, or both name the choice. So every id on the wire carries its adapter in front, and the way back needs no memory.

export const wireMethodId = (adapter: string, id: string): string => `${adapter}:${id}`

/**
 * The adapter of the customer's choice, and the adapter's own id of the method: of `method` and `id` the first that carries an adapter.
 * Where neither does, a provider with one adapter takes `method`, else `id`, as it is. `undefined`: no adapter offers it.
 */
export function chosenMethod(
  adapters: readonly { name: string }[],
  { method, id }: Partial<Pick<ChosenPaymentMethod, 'method' | 'id'>>,
): { adapter: string; methodId: string } | undefined {
  const names = [method, id].filter((name) => name !== undefined && name !== '') as string[]
  for (const name of names) {
    const adapter = adapters.find((one) => name.startsWith(wireMethodId(one.name, '')))
    const methodId = adapter && name.slice(wireMethodId(adapter.name, '').length)
    if (methodId) return { adapter: adapter.name, methodId }
  }
  const [only, ...others] = adapters
  const [name] = names
  return only && others.length === 0 && name !== undefined
    ? { adapter: only.name, methodId: name }
    : undefined
}

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
  { world, store, payments }: Parts<'world' | 'store' | 'payments'>,
  { id, hosts }: Shop,
  { redirect_url, webhook_url, order }: PaymentStartRequest,
  { redirectUrl, webhookUrl }: Payment,
): Promise<void> {
  if (hosts.confirmed) return
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
  const { notedHosts } = payments.memory
  const keyOf = (host: string) => `${id} ${host}`
  const fresh = others.filter((host) => !notedHosts.has(keyOf(host)))
  if (fresh.length === 0) return
  await store.changeHosts(id, { add: fresh }, world.now())
  for (const host of fresh) {
    if (notedHosts.get(keyOf(host))) continue
    notedHosts.set(keyOf(host), true)
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

const isMode = (answer: unknown): boolean => answer === 'test' || answer === 'live'

export const isTolerance = (value: unknown): boolean =>
  typeof value === 'string' && readDecimal(value) !== undefined && decimal(value).gte(0)

/** Members of an adapter that may be functions of a shop's settings, and what these return. */
const returned = {
  mode: { isRight: isMode, expected: '"test" or "live"' },
  underpaidBy: { isRight: isTolerance, expected: 'an amount of 0 or more as text, such as "0.50"' },
}

type Reading = Parts<'world' | 'payments' | 'settings'>

/** The member of an adapter for a shop. Without an answer of the adapter no payment starts. */
function memberOf<Member extends keyof typeof returned>(
  workings: Reading,
  shop: Shop,
  adapter: AnyPaymentAdapter,
  member: Member,
): Exclude<AnyPaymentAdapter[Member], (settings: never) => unknown> {
  const given: unknown = adapter[member]
  if (typeof given !== 'function') return given as never
  try {
    const answer: unknown = given(workings.settings.of(shop).of(adapter))
    const { isRight, expected } = returned[member]
    if (isRight(answer)) return answer as never
    throw wrongAnswer(`${member}() of payment adapter "${adapter.name}" returns ${expected}`)
  } catch (cause) {
    throw startFailed(workings, { shop: shop.id, adapter: adapter.name }, cause)
  }
}

/** Whether a payment of a shop through an adapter moves real money. */
export function attemptMode(workings: Reading, shop: Shop, adapter: AnyPaymentAdapter): PaymentMode {
  const usual = workings.payments.development || adapter.developmentOnly ? 'test' : 'live'
  return memberOf(workings, shop, adapter, 'mode') ?? usual
}

/** How much less still pays an order of this amount. One of more than half of it counts as none. */
export function toleranceOf(workings: Reading, shop: Shop, adapter: AnyPaymentAdapter, amount: Decimal) {
  const underpaidBy = memberOf(workings, shop, adapter, 'underpaidBy')
  const about = { shop: shop.id, adapter: adapter.name, underpaidBy, amount }
  if (underpaidBy !== undefined && !isTolerable(underpaidBy, amount))
    workings.world.log.debug(about, 'underpaidBy is more than half of the order, so it is ignored')
  return underpaidBy
}
