import type { EventSubscription, NewEventSubscription } from '../contract/index.ts'
import { isSet } from '../contract/values.ts'
import type { PlatformClient } from './client.ts'

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
