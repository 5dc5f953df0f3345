import type { RegistrationPlan } from '../platform/registration.ts'
import type { SubscriptionPlan } from '../platform/subscriptions.ts'

/** Estimates that a merchant has switched off stay off. */
export function withoutSwitchingOn(plan: RegistrationPlan): RegistrationPlan {
  if (plan.what !== 'update' || !plan.changes.rateEstimate) return plan
  const { rateEstimate: _, ...changes } = plan.changes
  return Object.keys(changes).length > 0 ? { ...plan, changes } : { what: 'nothing', before: plan.before }
}

export function differenceOf(plan: RegistrationPlan): string {
  if (plan.what === 'create') {
    const { type, name, rateEstimate } = plan.wanted
    return `+ ${type} service "${name}" will be registered${rateEstimate === false ? ' without estimates' : ''}`
  }
  const { type, name, id } = plan.before
  if (plan.what === 'nothing') return `= ${type} service "${name}" (${id}): no change`
  const changes = Object.entries(plan.changes).map(([field, value]) =>
    field === 'urlEndpoint' ? 'urlEndpoint: the current endpoint' : `${field}: ${value}`,
  )
  return `~ ${type} service "${name}" (${id}): ${changes.join(', ')}`
}

export const groupOf = (plan: SubscriptionPlan): string =>
  plan.what === 'create' ? plan.group : plan.before.itemGroup

export function subscriptionLine(plan: SubscriptionPlan): string {
  const events = `events of ${groupOf(plan)}`
  if (plan.what === 'create') return `+ ${events} will be subscribed`
  const { id } = plan.before
  if (plan.what === 'nothing') return `= ${events} (${id}): no change`
  if (plan.what === 'remove') return `- ${events} (${id}): the subscription will be removed`
  const changed = Object.keys(plan.changes).map((field) =>
    field === 'address' ? 'address: the current one' : field,
  )
  return `~ ${events} (${id}): ${changed.join(', ')}`
}

export function plainPlan(plan: RegistrationPlan) {
  const { what } = plan
  if (what === 'create') return { what, type: plan.wanted.type, name: plan.wanted.name }
  const { type, name, id } = plan.before
  return { what, type, name, id, changes: what === 'update' ? Object.keys(plan.changes) : [] }
}

export function outcome(changes: number, done: boolean, dryRun: boolean): string {
  if (changes === 0) return 'No change.'
  if (dryRun) return 'Nothing was changed: this was a dry run.'
  return done ? 'Done. Give the merchant this statement of what is passed on:' : 'Nothing was changed.'
}
