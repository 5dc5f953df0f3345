import { wireType } from '../../contract/served.ts'
import { isSet } from '../../contract/values.ts'
import type { PlatformClient } from '../../platform/client.ts'
import { planSubscriptions } from '../../platform/registration.ts'
import { counted } from '../../printable.ts'
import type { Provider } from '../../provider/provider.ts'
import { withoutSlash } from '../../shops/shop.ts'
import { type Checks, fail, ofShop, ok, serving, skip, warn } from './check.ts'

export const shopChecks: Checks = {
  units: serving('rates', ({ described }) => {
    const remedy = "Set rates.units, such as { weight: 'g' }, or units of each shop"
    return described.units
      ? ok('units is set')
      : warn('units is not set, and requests carry no units', remedy)
  }),
  'fallback rates': serving('rates', ({ described }) =>
    described.fallback
      ? ok('Fallback rates are set')
      : warn('When an adapter fails, shops get an empty list', 'Set rates.fallback'),
  ),
  files: serving('rates', async ({ inspection }) => {
    const faults = await inspection.fileFaults()
    if (faults.length === 0) return ok('The files of rate adapters have no faults')
    const says = faults.map(({ adapter, message }) => `${adapter}: ${message.replace(/\s*\n\s*/g, ' ')}`)
    const remedy = 'Correct the file. Running processes keep its earlier content, and a new start would fail'
    return fail(says.join('. '), remedy)
  }),
  'payment status'({ described: { adapters } }) {
    const blind = adapters.filter(({ kind, status }) => kind === 'payments' && !status)
    if (blind.length === 0) return ok('Every payment adapter has status()')
    const says = `${names(blind)} has no status(): a payment cannot be checked`
    return warn(says, 'Add status(): it replaces lost pushes')
  },
  'payment starts'({ described: { adapters } }) {
    const unsure = adapters.filter(({ resumes }) => !resumes)
    if (unsure.length === 0) return ok('Payment starts with an unknown outcome are resumed')
    return warn(`${names(unsure)} cannot resume a start of unknown outcome`, 'Add idempotency or find()')
  },
  privacy({ described: { adapters } }) {
    const isPersonal = (need: string) => !/\.(country|region|zipcode)$/.test(need)
    const silent = adapters.filter((one) => !one.privacy && (one.sends || one.needs.some(isPersonal)))
    if (silent.length === 0) return ok('Every adapter that reads personal data has a privacy statement')
    const says = `${names(silent)} reads or sends personal data and has no privacy statement`
    return warn(says, "Add privacy, for the shop's privacy policy")
  },
  'private network'({ described: { adapters }, production }) {
    const opened = adapters.flatMap(({ name, network }) =>
      network.length > 0 ? `${name} (${network.join(', ')})` : [],
    )
    if (opened.length === 0) return ok('No adapter may call a private network')
    const says = `These adapters may call a private network: ${opened.join('; ')}`
    return production && /http:/.test(says)
      ? warn(says, 'Put TLS in front of addresses called by http://, which carries the data unencrypted')
      : ok(says)
  },
  endpoint: ofShop((shop) => {
    if (shop.disabled) return fail(`Shop ${shop.id} is disabled`, `purveyor shop enable ${shop.id}`)
    if (shop.endpoints.every(({ expiresAt }) => expiresAt !== undefined))
      return fail('The endpoint of the shop expires', `purveyor shop rotate ${shop.id}`)
    return ok(`Shop ${shop.id} has ${counted(shop.endpoints.length, 'live endpoint')}`)
  }),
  settings: ofShop(async (shop, { inspection }) => {
    const found = await inspection.settingsFaults(shop.id)
    const faults = found.flatMap(({ fault }) => fault ?? [])
    if (faults.length === 0) return ok('Every adapter has the settings that it needs')
    // A shop may use one adapter of several.
    const usable = new Set(found.flatMap(({ kind, fault }) => (fault === undefined ? kind : [])))
    const useless = [...new Set(found.map(({ kind }) => kind))].filter((kind) => !usable.has(kind))
    const remedy = `purveyor shop settings ${shop.id} --set <adapter>.<setting>=<value>`
    return useless.length > 0
      ? fail(`The shop gets no ${useless.join(' and no ')}: ${faults.join('; ')}`, remedy)
      : warn(faults.join('; '), remedy)
  }),
  hosts: ofShop((shop, { production }) => {
    if (shop.hostsConfirmed) return ok('webhook_url and redirect_url accept only the listed hosts')
    const remedy = `purveyor shop hosts confirm ${shop.id}`
    return production
      ? warn('The shop may use any public host', remedy)
      : ok('The hosts of the shop are recorded')
  }),
  registration: ofShop(async (shop, { provider, endpoint, production }) => {
    if (endpoint === undefined) return skip('There is no endpoint to register')
    const client = await provider.platform(shop.id).catch(() => undefined)
    const connect = `purveyor shop connect ${shop.id}`
    const unknown = 'The shop is not connected, so its registration is unknown'
    if (!client && !production) return skip('The shop is not connected')
    if (!client) return warn(unknown, `${connect}, or register the endpoint by hand`)
    try {
      const listed = await Array.fromAsync(client.externalServices.list())
      const here = listed.filter(({ urlEndpoint }) => withoutSlash(urlEndpoint) === withoutSlash(endpoint))
      const registered = here.filter(({ isActive }) => isSet(isActive)).map(({ type }) => type)
      const missing: string[] = provider.services.filter((served) => !registered.includes(wireType[served]))
      missing.push(...(await unsubscribed(provider, client, shop.id)))
      if (missing.length === 0)
        return ok(`Registered for ${[...provider.services, ...eventsOf(provider.handles)].join(' and ')}`)
      const says = `Not registered, or not active, for ${missing.join(' and ')}`
      return fail(says, `purveyor services register ${shop.id} --name "..."`)
    } catch (error) {
      return fail(`The platform of the shop: ${(error as Error).message}`, connect)
    }
  }),
}

const eventsOf = (groups: readonly string[]): string[] => groups.map((group) => `events of ${group}`)

/** The events that the provider handles and that no active subscription brings. */
async function unsubscribed({ shops, handles }: Provider, client: PlatformClient, shopId: string) {
  if (handles.length === 0) return []
  const { resourceAddress = '' } = await shops.show(shopId, { reveal: true })
  const plans = await planSubscriptions(client, { groups: handles, address: resourceAddress })
  const groups = plans.flatMap((plan) => {
    if (plan.what === 'create') return plan.wanted.itemGroup
    return plan.what === 'update' ? plan.before.itemGroup : []
  })
  return eventsOf(groups)
}

const names = (adapters: { name: string }[]) => adapters.map(({ name }) => `Adapter ${name}`).join(', ')
