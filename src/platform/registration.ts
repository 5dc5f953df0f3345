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

/** The change that registers a service as wanted. A service with the same name and type is the same service. */
export type RegistrationPlan =
  | { what: 'create'; wanted: NewExternalService }
  | { what: 'update'; before: ExternalService; changes: Partial<NewExternalService> }
  | { what: 'nothing'; before: ExternalService }

/** Compares the registered services with the wanted one by name and type. Changes nothing. */
export async function planRegistration(
  { externalServices }: PlatformClient,
  wanted: NewExternalService,
): Promise<RegistrationPlan> {
  for await (const before of externalServices.list()) {
    if (before.name !== wanted.name || before.type !== wanted.type) continue
    const changes = changesOf(before, wanted)
    return Object.keys(changes).length > 0 ? { what: 'update', before, changes } : { what: 'nothing', before }
  }
  return { what: 'create', wanted }
}

function changesOf(before: ExternalService, wanted: NewExternalService): Partial<NewExternalService> {
  const changes: Partial<NewExternalService> = {}
  if (withoutSlash(before.urlEndpoint) !== withoutSlash(wanted.urlEndpoint)) {
    changes.urlEndpoint = wanted.urlEndpoint
  }
  if (isSet(before.isActive) !== wanted.isActive) changes.isActive = wanted.isActive
  if (wanted.rateEstimate !== undefined && isSet(before.rateEstimate) !== wanted.rateEstimate) {
    changes.rateEstimate = wanted.rateEstimate
  }
  return changes
}

/** Creates or updates the service as the plan says. Resolves with the registered service. */
export async function carryOut(
  { externalServices }: PlatformClient,
  plan: RegistrationPlan,
): Promise<ExternalService> {
  if (plan.what === 'create') return externalServices.create(plan.wanted)
  if (plan.what === 'update') return externalServices.update(plan.before.id, plan.changes)
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

/** Options of `probeEndpoint`. */
export interface ProbeOptions {
  /** Allows http and addresses of this machine. Default false. */
  allowLoopback?: boolean
  /** The limit for the call, in milliseconds. Default 10,000. */
  timeout?: number
}

/** Calls an endpoint as a checkout would. Resolves with the fault of its answer and the remedy, in sentences, or `undefined`. */
export async function probeEndpoint(
  endpoint: string,
  type: ServiceType,
  { allowLoopback = false, timeout = 10_000 }: ProbeOptions = {},
): Promise<string | undefined> {
  const { path, answer } = probes[type]
  const { send } = processOutgoing(allowLoopback)
  const url = `${withoutSlash(endpoint)}/${path}`
  let received: { status: number; body: string }
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    received = await send({ url, method: 'POST', headers, body, timeout })
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

/** The change that subscribes one resource as wanted. A subscription is ours if its address has our token. */
export type SubscriptionPlan =
  | { what: 'create'; group: string; address: string }
  | { what: 'update'; before: EventSubscription; changes: Partial<NewEventSubscription> }
  | { what: 'remove'; before: EventSubscription }
  | { what: 'nothing'; before: EventSubscription }

const tokenOf = (address: string): string => /([^/?#]*)\/?(?:[?#]|$)/.exec(address)![1]!

/** Compares the subscriptions at our address with the wanted resources, each with all its actions. Changes nothing. */
export async function planSubscriptions(
  { webhooks }: PlatformClient,
  { groups, address }: { groups: readonly string[]; address: string },
): Promise<SubscriptionPlan[]> {
  const plans: SubscriptionPlan[] = []
  const missing = new Set(groups)
  for await (const before of webhooks.list()) {
    if (tokenOf(before.address) !== tokenOf(address)) continue
    // A second one would bring each event twice.
    if (!missing.delete(before.itemGroup)) plans.push({ what: 'remove', before })
    else plans.push(updateOf(before, address))
  }
  return [...plans, ...Array.from(missing, (group) => ({ what: 'create' as const, group, address }))]
}

function updateOf(before: EventSubscription, address: string): SubscriptionPlan {
  const changes: Partial<NewEventSubscription> = {
    ...(before.address !== address && { address }),
    ...(before.itemAction !== '*' && { itemAction: '*' }),
    ...(before.format !== undefined && before.format !== 'json' && { format: 'json' as const }),
    ...(!isSet(before.isActive) && { isActive: true }),
  }
  return Object.keys(changes).length > 0 ? { what: 'update', before, changes } : { what: 'nothing', before }
}

/** Subscribes, changes or ends the subscription as the plan says. */
export async function carryOutSubscription(
  { webhooks }: PlatformClient,
  plan: SubscriptionPlan,
): Promise<void> {
  if (plan.what === 'create')
    await webhooks.create({ itemGroup: plan.group, itemAction: '*', address: plan.address })
  else if (plan.what === 'update') await webhooks.update(plan.before.id, plan.changes)
  else if (plan.what === 'remove') await webhooks.remove(plan.before.id)
}
