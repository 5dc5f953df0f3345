import { existsSync } from 'node:fs'
import { isSet } from '../../contract/values.ts'
import { withoutSlash } from '../../shops/hosts.ts'
import type { StorePort } from '../../store.ts'
import { sqliteFileOf, storeOf } from '../../stores/open.ts'
import { storeTime } from '../store.ts'
import { type DoctorCheck, type Found, fail, ok, type Patient, skipped, warn } from './check.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Looks into the store, where there is one. */
const inStore =
  (look: (store: StorePort) => Promise<Found>) =>
  async ({ described: { databaseUrl, volatile } }: Patient): Promise<Found> => {
    const file = sqliteFileOf(databaseUrl)
    if (volatile || (file !== undefined && !existsSync(file)))
      return skipped('There is no store to look into')
    const store = storeOf(databaseUrl)
    await store.open()
    try {
      return await look(store)
    } finally {
      await store.close()
    }
  }

/** The adapters, the shop, and what waits. */
export const shopChecks: DoctorCheck[] = [
  {
    name: 'units',
    look({ described, provider }) {
      if (!provider.services.includes('shipment')) return skipped('It serves no rates')
      return described.units
        ? ok("It is said what the shops' weights are in")
        : warn(
            'Nobody says what the weights of the shops are in',
            "Give createProvider units: { weight: 'g' }, or set them for each shop",
          )
    },
  },
  {
    name: 'fallback rates',
    look({ described, provider }) {
      if (!provider.services.includes('shipment')) return skipped('It serves no rates')
      return described.fallbackRates
        ? ok('There are rates for when an adapter fails')
        : warn('When an adapter fails, shops get an empty list', 'Give createProvider fallbackRates')
    },
  },
  {
    name: 'payment status',
    look({ described: { adapters } }) {
      const blind = adapters.filter(({ kind, status }) => kind === 'payments' && !status)
      return blind.length === 0
        ? ok('Every payment can be asked for')
        : warn(
            `${names(blind)} cannot be asked how a payment stands`,
            'Give it status(): a lost notice then heals by itself',
          )
    },
  },
  {
    name: 'payment starts',
    look({ described: { adapters } }) {
      const unsure = adapters.filter(({ resumes }) => !resumes)
      return unsure.length === 0
        ? ok('A start of unknown outcome is resumed')
        : warn(`${names(unsure)} gives a start of unknown outcome up`, 'Give it idempotency or find()')
    },
  },
  {
    name: 'privacy',
    look({ described: { adapters } }) {
      const silent = adapters.filter(
        ({ needs, privacy }) => !privacy && needs.some((need) => !/\.(country|region|zipcode)$/.test(need)),
      )
      return silent.length === 0
        ? ok('It is said where personal data goes')
        : warn(
            `${names(silent)} reads personal data and does not say where it goes`,
            'Give it privacy, for the policy of the shop',
          )
    },
  },
  {
    name: 'private network',
    look({ described: { adapters }, production }) {
      const opened = adapters.flatMap(({ name, network }) =>
        network.length > 0 ? `${name} (${network.join(', ')})` : [],
      )
      if (opened.length === 0) return ok('No adapter may call a private network')
      const says = `These adapters may call a private network: ${opened.join('; ')}`
      return production && /http:/.test(says)
        ? warn(says, 'Put TLS in front of what is called by http://: it carries what the adapter sends')
        : ok(says)
    },
  },
  {
    name: 'webhook signature',
    look({ described: { signsWebhooks }, provider }) {
      if (!provider.services.includes('payment')) return skipped('It serves no payments')
      return ok(
        signsWebhooks
          ? 'Calls of webhook_url are signed'
          : 'Calls of webhook_url are not signed, as the contract has it',
      )
    },
  },
  {
    name: 'endpoint',
    look({ shop }) {
      if (!shop) return skipped('There is no such shop yet')
      if (shop.disabled) return fail(`Shop ${shop.id} is disabled`, `purveyor shop enable ${shop.id}`)
      const lasting = shop.endpoints.filter(({ expiresAt }) => expiresAt === undefined)
      if (lasting.length === 0)
        return fail('The endpoint of the shop ends', `purveyor shop rotate ${shop.id}`)
      return ok(
        `Shop ${shop.id} has ${shop.endpoints.length} live endpoint${shop.endpoints.length === 1 ? '' : 's'}`,
      )
    },
  },
  {
    name: 'hosts',
    look({ shop, production }) {
      if (!shop) return skipped('There is no such shop yet')
      if (shop.hostsConfirmed) return ok('webhook_url and redirect_url may name the hosts of the shop alone')
      const mend = `purveyor shop hosts confirm ${shop.id}`
      return production
        ? warn('Any public host may be named by the shop', mend)
        : ok('The hosts of the shop are noted')
    },
  },
  {
    name: 'registration',
    async look({ provider, shop, endpoint, production }) {
      if (!shop || endpoint === undefined) return skipped('There is no endpoint to register')
      let client: Awaited<ReturnType<typeof provider.platform>>
      try {
        client = await provider.platform(shop.id)
      } catch {
        const mend = `purveyor shop connect ${shop.id}, or register the endpoint by hand`
        return production
          ? warn('It is not known what is registered with the shop', mend)
          : skipped('The shop is not connected')
      }
      try {
        const registered: string[] = []
        for await (const one of client.externalServices.list()) {
          const here = withoutSlash(one.urlEndpoint) === withoutSlash(endpoint)
          if (here && isSet(one.isActive)) registered.push(one.type)
        }
        const missing = provider.services.filter((type) => !registered.includes(type))
        return missing.length === 0
          ? ok(`Registered for ${provider.services.join(' and ')}`)
          : fail(
              `Not registered, or not active, for ${missing.join(' and ')}`,
              `purveyor services register ${shop.id} --name "..."`,
            )
      } catch (error) {
        return fail(
          `The platform of the shop: ${(error as Error).message}`,
          `purveyor shop connect ${shop.id}`,
        )
      }
    },
  },
  {
    name: 'owed webhooks',
    look: inStore(async (store) => {
      const { owed } = await store.countWebhooks()
      if (owed === 0) return ok('Nothing is owed to a shop')
      const due = await store.nextWebhookDue()
      const late = due === undefined ? 0 : (storeTime(store) - due) / minute
      const says = `${owed} owed, the next one ${late > 0 ? `due for ${Math.round(late)} min` : 'not due yet'}`
      return late > 15 ? fail(says, 'Is the provider running? purveyor webhooks list shows them') : ok(says)
    }),
  },
  {
    name: 'dead letters',
    look: inStore(async (store) => {
      const { dead } = await store.countWebhooks()
      return dead === 0
        ? ok('No webhook was given up')
        : fail(`${dead} webhooks were given up`, 'purveyor webhooks list, then purveyor webhooks replay')
    }),
  },
  {
    name: 'anomalies',
    look: inStore(async (store) => {
      const open = await store.anomalies({ limit: 100 })
      if (open.length === 0) return ok('Nothing contradicts itself')
      const oldest = Math.round((storeTime(store) - Math.min(...open.map(({ openedAt }) => openedAt))) / day)
      return warn(
        `${open.length} wait for a person, the oldest for ${oldest} days`,
        'purveyor payments anomalies',
      )
    }),
  },
]

const names = (adapters: { name: string }[]) => adapters.map(({ name }) => `Adapter ${name}`).join(', ')
