import { wireType } from '../../contract/served.ts'
import { isSet } from '../../contract/values.ts'
import type { PlatformClient } from '../../platform/client.ts'
import { planSubscriptions } from '../../platform/registration.ts'
import { counted } from '../../printable.ts'
import type { Provider } from '../../provider/provider.ts'
import { withoutSlash } from '../../shops/shop.ts'
import { type Checks, fail, ok, serving, skipped, warn } from './check.ts'

export const shopChecks: Checks = {
  units: serving('rates', ({ described }) =>
    described.units
      ? ok('units is set')
      : warn(
          'units is not set, and requests carry no units',
          "Set rates.units, such as { weight: 'g' }, or units of each shop",
        ),
  ),
  'fallback rates': serving('rates', ({ described }) =>
    described.fallback
      ? ok('Fallback rates are set')
      : warn('When an adapter fails, shops get an empty list', 'Set rates.fallback'),
  ),
  files: serving('rates', async ({ inspection }) => {
    const faults = await inspection.fileFaults()
    if (faults.length === 0) return ok('The files of rate adapters have no faults')
    const says = faults.map(({ adapter, message }) => `${adapter}: ${message.replace(/\s*\n\s*/g, ' ')}`)
    return fail(
      says.join('. '),
      'Correct the file. Running processes keep what was in it before, and a start would fail',
    )
  }),
  'payment status'({ described: { adapters } }) {
    const blind = adapters.filter(({ kind, status }) => kind === 'payments' && !status)
    return blind.length === 0
      ? ok('Every payment adapter has status()')
      : warn(
          `${names(blind)} has no status(): a payment cannot be checked`,
          'Add status(): it replaces lost pushes',
        )
  },
  'payment starts'({ described: { adapters } }) {
    const unsure = adapters.filter(({ resumes }) => !resumes)
    return unsure.length === 0
      ? ok('Starts of unknown outcome are resumed')
      : warn(`${names(unsure)} gives up a start of unknown outcome`, 'Add idempotency or find()')
  },
  privacy({ described: { adapters } }) {
    const silent = adapters.filter(
      ({ needs, privacy, sends }) =>
        !privacy && (sends || needs.some((need) => !/\.(country|region|zipcode)$/.test(need))),
    )
    return silent.length === 0
      ? ok('Every adapter that reads personal data has a privacy statement')
      : warn(
          `${names(silent)} reads or sends personal data and has no privacy statement`,
          "Add privacy, for the shop's privacy policy",
        )
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
  endpoint({ shop, noShop }) {
    if (!shop) return skipped(noShop)
    if (shop.disabled) return fail(`Shop ${shop.id} is disabled`, `purveyor shop enable ${shop.id}`)
    if (shop.endpoints.every(({ expiresAt }) => expiresAt !== undefined))
      return fail('The endpoint of the shop expires', `purveyor shop rotate ${shop.id}`)
    return ok(`Shop ${shop.id} has ${counted(shop.endpoints.length, 'live endpoint')}`)
  },
  async settings({ shop, noShop, inspection }) {
    if (!shop) return skipped(noShop)
    const found = await inspection.settingsFaults(shop.id)
    const faults = found.flatMap(({ fault }) => fault ?? [])
    if (faults.length === 0) return ok('Every adapter has the settings that it needs')
    // A shop may use one adapter of several.
    const usable = new Set(found.flatMap(({ kind, fault }) => (fault === undefined ? kind : [])))
    const useless = [...new Set(found.map(({ kind }) => kind))].filter((kind) => !usable.has(kind))
    const remedy = `purveyor shop settings ${shop.id} --set <adapter>.<setting>=<value>`
    return useless.length > 0
      ? fail(`The shop can have no ${useless.join(' and no ')}: ${faults.join('; ')}`, remedy)
      : warn(faults.join('; '), remedy)
  },
  hosts({ shop, noShop, production }) {
    if (!shop) return skipped(noShop)
    if (shop.hostsConfirmed) return ok('webhook_url and redirect_url accept only the listed hosts')
    const remedy = `purveyor shop hosts confirm ${shop.id}`
    return production
      ? warn('The shop may use any public host', remedy)
      : ok('The hosts of the shop are recorded')
  },
  async registration({ provider, shop, noShop, endpoint, production }) {
    if (!shop) return skipped(noShop)
    if (endpoint === undefined) return skipped('There is no endpoint to register')
    const client = await provider.platform(shop.id).catch(() => undefined)
    if (!client && !production) return skipped('The shop is not connected')
    if (!client)
      return warn(
        'The shop is not connected, so its registration is unknown',
        `purveyor shop connect ${shop.id}, or register the endpoint by hand`,
      )
    try {
      const listed = await Array.fromAsync(client.externalServices.list())
      const here = listed.filter(({ urlEndpoint }) => withoutSlash(urlEndpoint) === withoutSlash(endpoint))
      const registered = here.filter(({ isActive }) => isSet(isActive)).map(({ type }) => type)
      const missing: string[] = provider.services.filter((served) => !registered.includes(wireType[served]))
      missing.push(...(await unsubscribed(provider, client, shop.id)))
      return missing.length === 0
        ? ok(`Registered for ${[...provider.services, ...eventsOf(provider.handles)].join(' and ')}`)
        : fail(
            `Not registered, or not active, for ${missing.join(' and ')}`,
            `purveyor services register ${shop.id} --name "..."`,
          )
    } catch (error) {
      return fail(`The platform of the shop: ${(error as Error).message}`, `purveyor shop connect ${shop.id}`)
    }
  },
}

const eventsOf = (groups: readonly string[]): string[] => groups.map((group) => `events of ${group}`)

/** The events that the provider handles and that no active subscription brings. */
async function unsubscribed(
  { shops, handles }: Provider,
  client: PlatformClient,
  shopId: string,
): Promise<string[]> {
  if (handles.length === 0) return []
  const { resourceAddress = '' } = await shops.show(shopId, { reveal: true })
  const plans = await planSubscriptions(client, { groups: handles, address: resourceAddress })
  return eventsOf(
    plans.flatMap((plan) => {
      if (plan.what === 'create') return plan.group
      return plan.what === 'update' ? plan.before.itemGroup : []
    }),
  )
}

const names = (adapters: { name: string }[]) => adapters.map(({ name }) => `Adapter ${name}`).join(', ')
