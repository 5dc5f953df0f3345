import type { z } from 'zod'
import { checkoutExample, shopExample } from '../contract/examples.ts'
import {
  type EventSubscription,
  type ExternalService,
  faultsOf,
  type NewEventSubscription,
  type NewExternalService,
  paymentMethodsAnswer,
  type ServiceType,
  shipmentMethodsAnswer,
} from '../contract/index.ts'
import { jsonIn } from '../contract/texts.ts'
import { isSet } from '../contract/values.ts'
import { hasCode } from '../errors/errors.ts'
import { refusals } from '../errors/refusals.ts'
import { answeredStatus } from '../printable.ts'
import { withoutSlash } from '../shops/shop.ts'
import { type PlatformClient, processOutgoing } from './client.ts'
import type { ResourceId } from './resource.ts'

/** The change that makes a record of the platform as wanted. */
export type Plan<Known, Wanted> =
  | { what: 'create'; wanted: Wanted }
  | { what: 'update'; before: Known; changes: Partial<Wanted> }
  | { what: 'remove'; before: Known }
  | { what: 'nothing'; before: Known }

export const planOf = <Known, Changes extends object>(before: Known, changes: Changes) =>
  Object.keys(changes).length > 0
    ? { what: 'update' as const, before, changes }
    : { what: 'nothing' as const, before }

/** Compares the registered services with the wanted one: one with its name and type is the same service. Changes nothing. */
export async function planRegistration(
  { externalServices }: PlatformClient,
  wanted: NewExternalService,
): Promise<Plan<ExternalService, NewExternalService>> {
  const { name, type, urlEndpoint, isActive, rateEstimate } = wanted
  for await (const before of externalServices.list()) {
    if (before.name !== name || before.type !== type) continue
    return planOf(before, {
      ...(withoutSlash(before.urlEndpoint) !== withoutSlash(urlEndpoint) && { urlEndpoint }),
      ...(isSet(before.isActive) !== isActive && { isActive }),
      ...(rateEstimate !== undefined && isSet(before.rateEstimate) !== rateEstimate && { rateEstimate }),
    })
  }
  return { what: 'create', wanted }
}

type Subscription = Pick<NewEventSubscription, 'itemGroup' | 'itemAction' | 'address'>

/**
 * Compares the subscriptions at our address with the wanted resources, each with all its actions. A subscription is ours if its address has
 * our token. Changes nothing.
 */
export async function planSubscriptions(
  { webhooks }: PlatformClient,
  { groups, address }: { groups: readonly string[]; address: string },
): Promise<Plan<EventSubscription, Subscription & Partial<NewEventSubscription>>[]> {
  const plans: Awaited<ReturnType<typeof planSubscriptions>> = []
  const missing = new Set(groups)
  for await (const before of webhooks.list()) {
    if (tokenOf(before.address) !== tokenOf(address)) continue
    const isOther = before.format !== undefined && before.format !== 'json'
    const changes = {
      ...(before.address !== address && { address }),
      ...(before.itemAction !== '*' && { itemAction: '*' }),
      ...(isOther && { format: 'json' as const }),
      ...(!isSet(before.isActive) && { isActive: true }),
    }
    // A second one would bring each event twice.
    plans.push(missing.delete(before.itemGroup) ? planOf(before, changes) : { what: 'remove', before })
  }
  for (const itemGroup of missing)
    plans.push({ what: 'create', wanted: { itemGroup, itemAction: '*', address } })
  return plans
}

const tokenOf = (address: string): string => /([^/?#]*)\/?(?:[?#]|$)/.exec(address)![1]!

interface Records<Known, Wanted> {
  create(wanted: Wanted): Promise<Known>
  update(id: ResourceId, changes: Partial<Wanted>): Promise<Known>
  remove(id: ResourceId): Promise<void>
}

/** Does as the plan says. Resolves with the record, also with one that is removed or as it was. */
export async function carryOut<Known extends { id: ResourceId }, Wanted>(
  records: Records<Known, Wanted>,
  plan: Plan<Known, Wanted>,
): Promise<Known> {
  if (plan.what === 'create') return records.create(plan.wanted)
  if (plan.what === 'update') return records.update(plan.before.id, plan.changes)
  if (plan.what === 'remove') await records.remove(plan.before.id)
  return plan.before
}

// Without a shop id, because the first one would bind the endpoint.
const { id: _, ...shop } = shopExample
const body = JSON.stringify({ ...checkoutExample, shop })

const probes: Record<ServiceType, { path: string; answer: z.ZodType }> = {
  shipment: { path: 'shipment_methods', answer: shipmentMethodsAnswer },
  payment: { path: 'payment_methods', answer: paymentMethodsAnswer },
}

const unreached = 'Check that the provider runs there'
const elsewhere = 'Check that this is the provider with the store of this command, and read its log.'

/** Calls an endpoint as a checkout would, for at most ten seconds. Resolves with the fault of its answer and the remedy, in sentences, or `undefined`. */
export async function probeEndpoint(
  endpoint: string,
  type: ServiceType,
  { allowLoopback }: { allowLoopback: boolean },
): Promise<string | undefined> {
  const { path, answer } = probes[type]
  const { send } = processOutgoing(allowLoopback)
  const url = `${withoutSlash(endpoint)}/${path}`
  let received: { status: number; body: string }
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    received = await send({ url, method: 'POST', headers, body, timeout: 10_000 })
  } catch (error) {
    const isRefused = hasCode(error, 'OUTGOING_REFUSED')
    const remedy = isRefused ? 'Set PURVEYOR_PUBLIC_URL to the https address that shops call' : unreached
    return `POST ${path} got no answer: ${(error as Error).message}. ${remedy}.`
  }
  const json = jsonIn(received.body)
  if (received.status !== 201) {
    const { why, remedy } = refusals.NOT_THIS_MACHINE
    const next = Object(json).code === 'NOT_THIS_MACHINE' ? `${why} ${remedy}` : elsewhere
    return `POST ${path} is answered ${answeredStatus(received.status)}, instead of 201. ${next}`
  }
  if (json === undefined) return `the answer of POST ${path} is not JSON.`
  const read = answer.safeParse(json)
  if (read.success) return undefined
  const [fault] = faultsOf(read.error)
  return `the answer of POST ${path} is wrong at ${fault?.path}: ${fault?.message}.`
}
