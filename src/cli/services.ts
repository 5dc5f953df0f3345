import type { ExternalService, NewExternalService } from '../contract/index.ts'
import { wireType } from '../contract/served.ts'
import { isSet } from '../contract/values.ts'
import { carryOut, planRegistration, probeEndpoint, type RegistrationPlan } from '../platform/registration.ts'
import { carryOutSubscription, planSubscriptions, type SubscriptionPlan } from '../platform/subscriptions.ts'
import type { Provider } from '../provider/provider.ts'
import { hostOf } from '../shops/hosts.ts'
import { withoutToken } from '../shops/tokens.ts'
import { type ProviderOption, withProvider } from './provider/with-provider.ts'
import { hostsToClose, warnOfOpenHosts } from './shop/ask-hosts.ts'
import { privacyText } from './shop/privacy.ts'
import { systemUser } from './system-user.ts'
import { confirmed } from './terminal/confirm.ts'
import { print, say, table } from './terminal/print.ts'
import { checkFailed, UsageError } from './usage.ts'

async function all(provider: Provider, shop: string): Promise<ExternalService[]> {
  const found: ExternalService[] = []
  for await (const service of (await provider.platform(shop)).externalServices.list()) found.push(service)
  return found
}

export function list(shop: string, options: ProviderOption): Promise<void> {
  return withProvider(options, async (provider) => {
    const found = await all(provider, shop)
    const shown = found.map(withoutItsToken)
    print(options.json, shown, () =>
      table(shown, 'No service is registered.', {
        id: ({ id }) => id,
        type: ({ type }) => type,
        name: ({ name }) => name,
        state: ({ isActive }) => (isSet(isActive) ? 'active' : 'disabled'),
        estimates: ({ rateEstimate }) => (isSet(rateEstimate) ? 'yes' : 'no'),
        urlEndpoint: ({ urlEndpoint }) => urlEndpoint,
      }),
    )
  })
}

/** The token in the address is a secret. */
const withoutItsToken = (service: ExternalService): ExternalService => ({
  ...service,
  urlEndpoint: withoutToken(service.urlEndpoint),
})

export interface RegisterOptions extends ProviderOption {
  name: string
  host?: string[]
  estimates?: 'on' | 'off'
  dryRun?: boolean
  yes?: boolean
}

/** Registers each type that the provider serves as a service of its own, or updates the registered one. */
export function register(shop: string, options: RegisterOptions): Promise<void> {
  return withProvider(options, async (provider) => {
    const { name, estimates, dryRun = false, yes, json } = options
    if (estimates === 'on' && !provider.estimates)
      throw new UsageError('No rate adapter has `estimate`: add it to one, or leave out --estimates.')
    const url = await endpointOf(provider, shop)
    if (!url)
      throw new UsageError(`Shop ${shop} has no live endpoint. Create one with: purveyor shop rotate ${shop}`)
    await probeAll(provider, url)
    const client = await provider.platform(shop)
    const plans: RegistrationPlan[] = []
    const rateEstimate = estimates ? estimates === 'on' : provider.estimates
    for (const served of provider.services) {
      const wanted = { type: wireType[served], name, urlEndpoint: url, isActive: true }
      const plan = await planRegistration(client, served === 'rates' ? { ...wanted, rateEstimate } : wanted)
      plans.push(estimates ? plan : withoutSwitchingOn(plan))
    }

    const subscriptions =
      provider.handles.length === 0 ? [] : await planSubscriptions(client, await resourcesOf(provider, shop))
    const changing = [...plans, ...subscriptions].filter(({ what }) => what !== 'nothing')
    if (!json) {
      for (const plan of plans) say(differenceOf(plan))
      for (const plan of subscriptions) say(subscriptionLine(plan))
    }
    const hosts = dryRun ? undefined : await hostsFor(provider, shop, options)
    const done =
      dryRun || changing.length === 0 ? false : await confirmed('Change this at the platform?', yes)
    // First, so that the platform never calls a shop whose list is open.
    const closing = hosts !== undefined && (done || changing.length === 0)
    if (closing) {
      await provider.shops.changeHosts(shop, { add: hosts, only: true, confirm: true }, { by: systemUser() })
    }
    const services: ExternalService[] = []
    if (done) {
      for (const plan of plans) services.push(await carryOut(client, plan))
      for (const plan of subscriptions) await carryOutSubscription(client, plan)
    }
    const privacy = await provider.shops.privacy(shop)
    const result = {
      shop,
      dryRun,
      changed: done,
      plans: plans.map(plainPlan),
      events: subscriptions.map((plan) => ({ what: plan.what, group: groupOf(plan) })),
    }
    print(json, { ...result, services: services.map(withoutItsToken), privacy }, () => [
      outcome(changing.length, done, dryRun),
      ...(closing ? [`Shop ${shop} accepts these hosts only: ${hosts.join(', ')}`] : []),
      '',
      ...privacyText(privacy),
    ])
    await warnOfOpenHosts(provider, shop)
  })
}

/** The hosts of `--host`; without it, while the list is open, a person is asked. The platform's own host is proposed. */
async function hostsFor(
  provider: Provider,
  shop: string,
  { host, yes, json }: RegisterOptions,
): Promise<readonly string[] | undefined> {
  const { hosts, hostsConfirmed } = await provider.shops.show(shop)
  if (host || hostsConfirmed || yes) return host
  const { baseUrl } = await provider.shops.credentials(shop)
  return hostsToClose(provider, host, { proposed: hostOf(baseUrl), noted: hosts, json })
}

/** The newest endpoint of a shop, if one is live. */
async function endpointOf({ shops }: Provider, shop: string): Promise<string | undefined> {
  const [newest] = (await shops.show(shop, { reveal: true, by: systemUser() })).endpoints
  return newest?.url
}

/** Estimates that a merchant has switched off stay off. */
function withoutSwitchingOn(plan: RegistrationPlan): RegistrationPlan {
  if (plan.what !== 'update' || !plan.changes.rateEstimate) return plan
  const { rateEstimate: _, ...changes } = plan.changes
  return Object.keys(changes).length > 0 ? { ...plan, changes } : { what: 'nothing', before: plan.before }
}

/** An endpoint with invalid answers is not registered. */
async function probeAll(provider: Provider, url: string): Promise<void> {
  for (const served of provider.services) {
    const fault = await probeEndpoint(url, wireType[served], { allowLoopback: provider.development })
    if (fault) throw checkFailed(`${fault} Nothing was registered.`)
  }
}

function differenceOf(plan: RegistrationPlan): string {
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

/** The resources to subscribe, and the address for their events. */
async function resourcesOf({ shops, handles }: Provider, shop: string) {
  const { resourceAddress = '' } = await shops.show(shop, { reveal: true, by: systemUser() })
  return { groups: handles, address: resourceAddress }
}

const groupOf = (plan: SubscriptionPlan): string =>
  plan.what === 'create' ? plan.group : plan.before.itemGroup

function subscriptionLine(plan: SubscriptionPlan): string {
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

function plainPlan(plan: RegistrationPlan) {
  const { what } = plan
  if (what === 'create') return { what, type: plan.wanted.type, name: plan.wanted.name }
  const { type, name, id } = plan.before
  return { what, type, name, id, changes: what === 'update' ? Object.keys(plan.changes) : [] }
}

function outcome(changes: number, done: boolean, dryRun: boolean): string {
  if (changes === 0) return 'No change.'
  if (dryRun) return 'Nothing was changed: this was a dry run.'
  return done ? 'Done. Give the merchant this statement of what is passed on:' : 'Nothing was changed.'
}

export interface ChangeOptions extends ProviderOption {
  dryRun?: boolean
  yes?: boolean
}

export function update(shop: string, id: string, options: ChangeOptions & { name?: string }): Promise<void> {
  return withProvider(options, async (provider) => {
    const url = await endpointOf(provider, shop)
    const before = await named(provider, shop, id)
    const changes = {
      ...(options.name !== undefined && { name: options.name }),
      ...(url && { urlEndpoint: url }),
      isActive: true,
    }
    const fault = url && (await probeEndpoint(url, before.type, { allowLoopback: provider.development }))
    if (fault) throw checkFailed(`${fault} Nothing was changed.`)
    await change(provider, shop, before, changes, 'brought up to date', options)
  })
}

export function disable(shop: string, id: string, options: ChangeOptions): Promise<void> {
  return withProvider(options, async (provider) => {
    await change(provider, shop, await named(provider, shop, id), { isActive: false }, 'disabled', options)
  })
}

export function remove(shop: string, id: string, options: ChangeOptions): Promise<void> {
  return withProvider(options, async (provider) => {
    await change(provider, shop, await named(provider, shop, id), undefined, 'removed', options)
  })
}

async function named(provider: Provider, shop: string, id: string): Promise<ExternalService> {
  const found = (await all(provider, shop)).find((service) => String(service.id) === id)
  if (!found) throw new UsageError(`Shop ${shop} has no service ${id}. See: purveyor services list ${shop}`)
  return found
}

async function change(
  provider: Provider,
  shop: string,
  before: ExternalService,
  changes: Partial<NewExternalService> | undefined,
  how: string,
  { dryRun = false, yes, json }: ChangeOptions,
): Promise<void> {
  const what = `The ${before.type} service "${before.name}" (${before.id})`
  const sure = !dryRun && (await confirmed(`${what} of shop ${shop} will be ${how}. Continue?`, yes))
  if (sure) {
    const { externalServices } = await provider.platform(shop)
    if (changes) await externalServices.update(before.id, changes)
    else await externalServices.remove(before.id)
  }
  print(json, { shop, service: before.id, dryRun, changed: sure }, () =>
    sure ? `${what} is ${how}.` : `${what} would be ${how}. Nothing was changed.`,
  )
}
