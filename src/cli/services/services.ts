import type { ExternalService, NewExternalService } from '../../contract/index.ts'
import { wireType } from '../../contract/served.ts'
import { isSet } from '../../contract/values.ts'
import type { Plan } from '../../platform/registration.ts'
import type { Provider } from '../../provider/provider.ts'
import { withoutToken } from '../../shops/seal.ts'
import { warnOfOpenHosts } from '../shop/hosts.ts'
import { privacyLines } from '../shop/privacy.ts'
import { type Command, dryRun, type Given, group, type json, ofShop, oneOf, yes } from '../table.ts'
import { print, printTable, say } from '../terminal/print.ts'
import { confirmed } from '../terminal/read-input.ts'
import { checkFailed, UsageError } from '../terminal/usage.ts'

const all = async (provider: Provider, shop: string): Promise<ExternalService[]> =>
  Array.fromAsync((await provider.platform(shop)).externalServices.list())

const list = ofShop({
  description: 'list the registered services',
  examples: ['purveyor services list bikes'],
  async run({ shop, json }, provider) {
    const shown = (await all(provider, shop)).map(withoutItsToken)
    printTable(json, shown, 'No service is registered.', {
      ...{ id: 'id', type: 'type', name: 'name' },
      state: ({ isActive }) => (isSet(isActive) ? 'active' : 'disabled'),
      estimates: ({ rateEstimate }) => (isSet(rateEstimate) ? 'yes' : 'no'),
      urlEndpoint: 'urlEndpoint',
    })
  },
})

const withoutItsToken = (service: ExternalService): ExternalService => {
  return { ...service, urlEndpoint: withoutToken(service.urlEndpoint) }
}

/** Registers each type that the provider serves as a service of its own, or updates the registered one. */
const register = ofShop({
  description: 'test the endpoint, then register or update its services',
  examples: ['purveyor services register bikes --name Courier --dry-run'],
  options: {
    '--name <name>': { description: 'the name that customers see in the checkout', required: true },
    '--host <name...>': 'close the list of hosts allowed in webhook_url and redirect_url',
    '--estimates <state>': oneOf(
      "estimates in the cart; default: the merchant's choice, for a new service whether an adapter has `estimate`",
      ['on', 'off'],
    ),
    ...dryRun,
    ...yes,
  },
  async run(options, provider) {
    const { shop, name, host: hosts, estimates, dryRun = false, yes, json, by } = options
    const { carryOut, planOf, planRegistration, planSubscriptions } = await import(
      '../../platform/registration.ts'
    )
    if (estimates === 'on' && !provider.estimates)
      throw new UsageError('No rate adapter has `estimate`: add it to one, or leave out --estimates.')
    const { endpoints, resourceAddress = '' } = await provider.shops.show(shop, { reveal: true, by })
    const url = endpoints[0]?.url
    if (!url)
      throw new UsageError(`Shop ${shop} has no live endpoint. Create one with: purveyor shop rotate ${shop}`)
    for (const served of provider.services) await probe(provider, url, wireType[served], 'registered')
    const client = await provider.platform(shop)
    const plans: ServicePlan[] = []
    const rateEstimate = estimates ? estimates === 'on' : provider.estimates
    for (const served of provider.services) {
      const wanted = { type: wireType[served], name, urlEndpoint: url, isActive: true }
      const complete = served === 'rates' ? { ...wanted, rateEstimate } : wanted
      const plan = await planRegistration(client, complete)
      // Estimates that a merchant has switched off stay off.
      if (!estimates && plan.what === 'update' && plan.changes.rateEstimate) {
        const { rateEstimate: _, ...changes } = plan.changes
        plans.push(planOf(plan.before, changes))
      } else plans.push(plan)
    }
    const handled = { groups: provider.handles, address: resourceAddress }
    const subscriptions = provider.handles.length === 0 ? [] : await planSubscriptions(client, handled)
    const changing = [...plans, ...subscriptions].filter(({ what }) => what !== 'nothing')
    if (!json) {
      for (const plan of plans) say(servicePlanLine(plan))
      for (const plan of subscriptions)
        say(planLine(plan, `events of ${subjectOf(plan).itemGroup}`, 'subscribed'))
    }
    const done = !dryRun && changing.length > 0 && (await confirmed('Change this at the platform?', yes))
    // First, so that the platform never calls a shop whose list is open.
    const closing = hosts !== undefined && !dryRun && (done || changing.length === 0)
    if (closing) await provider.shops.changeHosts(shop, { add: hosts, only: true, confirm: true }, { by })
    const services: ExternalService[] = []
    if (done) {
      for (const plan of plans) services.push(await carryOut(client.externalServices, plan))
      for (const plan of subscriptions) await carryOut(client.webhooks, plan)
    }
    const privacy = await provider.shops.privacy(shop)
    const events = subscriptions.map((plan) => ({ what: plan.what, group: subjectOf(plan).itemGroup }))
    const result = { shop, dryRun, changed: done, plans: plans.map(plainPlan), events }
    print(json, { ...result, services: services.map(withoutItsToken), privacy }, () => [
      outcome(changing.length, done, dryRun),
      closing && `Shop ${shop} accepts these hosts only: ${hosts.join(', ')}`,
      '',
      ...privacyLines(privacy),
    ])
    await warnOfOpenHosts(provider, shop)
  },
})

async function probe(provider: Provider, url: string, type: NewExternalService['type'], done: string) {
  const { probeEndpoint } = await import('../../platform/registration.ts')
  const fault = await probeEndpoint(url, type, { allowLoopback: provider.development })
  if (fault) throw checkFailed(`${fault} Nothing was ${done}.`)
}

const service = { '<id>': 'an id from `services list`' }

const update = ofShop({
  description: 'give a service the current endpoint and activate it',
  examples: ['purveyor services update bikes 17 --name "Courier by bike"'],
  arguments: service,
  options: { '--name <name>': 'a new name', ...dryRun, ...yes },
  async run(options, provider) {
    const { shop, name, by } = options
    const [{ url } = {}] = (await provider.shops.show(shop, { reveal: true, by })).endpoints
    const before = await named(provider, options)
    const changes = { ...(name !== undefined && { name }), ...(url && { urlEndpoint: url }), isActive: true }
    if (url) await probe(provider, url, before.type, 'changed')
    await change(provider, before, changes, 'brought up to date', options)
  },
})

const ending = (verb: 'disable' | 'remove', changes?: Partial<NewExternalService>): Command =>
  ofShop({
    description: `${verb} a service`,
    examples: [`purveyor services ${verb} bikes 17`],
    arguments: service,
    options: { ...dryRun, ...yes },
    run: async (options, provider) =>
      change(provider, await named(provider, options), changes, `${verb}d`, options),
  })

type Changing = { shop: string } & Given<typeof dryRun & typeof yes & typeof json>

async function named(provider: Provider, { shop, id }: { shop: string; id: string }) {
  const found = (await all(provider, shop)).find((service) => String(service.id) === id)
  if (!found) throw new UsageError(`Shop ${shop} has no service ${id}. See: purveyor services list ${shop}`)
  return found
}

async function change(
  provider: Provider,
  before: ExternalService,
  changes: Partial<NewExternalService> | undefined,
  how: string,
  { shop, dryRun = false, yes, json }: Changing,
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

const [disable, remove] = [ending('disable', { isActive: false }), ending('remove')]
const commands = { list, register, update, disable, remove }
export const command = group('register the provider with the platform of a shop', commands)

type ServicePlan = Plan<ExternalService, NewExternalService>

const subjectOf = <Known, Wanted>(plan: Plan<Known, Wanted>): Known | Wanted =>
  plan.what === 'create' ? plan.wanted : plan.before

/** The change of a plan, on one line. `subject` is what it is about, `created` what becomes of one that is not there yet. */
function planLine(plan: Plan<{ id: unknown }, object>, subject: string, created: string): string {
  if (plan.what === 'create') return `+ ${subject} will be ${created}`
  const existing = `${subject} (${plan.before.id})`
  if (plan.what === 'nothing') return `= ${existing}: no change`
  if (plan.what === 'remove') return `- ${existing}: the subscription will be removed`
  const changes = Object.entries(plan.changes).map(([field, value]) =>
    field === 'urlEndpoint' || field === 'address' ? `${field}: the current one` : `${field}: ${value}`,
  )
  return `~ ${existing}: ${changes.join(', ')}`
}

function servicePlanLine(plan: ServicePlan): string {
  const { type, name, rateEstimate } = subjectOf(plan)
  const without = rateEstimate === false ? ' without estimates' : ''
  return planLine(plan, `${type} service "${name}"`, `registered${without}`)
}

function plainPlan(plan: ServicePlan) {
  const { type, name } = subjectOf(plan)
  if (plan.what === 'create') return { what: plan.what, type, name }
  const changes = plan.what === 'update' ? Object.keys(plan.changes) : []
  return { what: plan.what, type, name, id: plan.before.id, changes }
}

function outcome(changes: number, done: boolean, dryRun: boolean): string {
  if (changes === 0) return 'No change.'
  if (dryRun) return 'Nothing was changed: this was a dry run.'
  return done ? 'Done. Give the merchant this statement on the data passed on:' : 'Nothing was changed.'
}
