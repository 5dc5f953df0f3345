import { z } from 'zod'
import type { ErrorFault } from '../errors.ts'
import type { StorePort } from '../store.ts'
import { didYouMean, keysAt } from '../use-cases/nearest.ts'
import type { AnyPaymentAdapter, AnyRateAdapter, Deadlines } from '../use-cases/workings.ts'
import type { Configuration } from './configuration.ts'
import type { HttpOptions, PaymentsOptions, ProviderOptions, RatesOptions } from './options.ts'

/** The options of `createProvider`, each in its place. */
export interface GivenOptions
  extends Pick<ProviderOptions, 'clock' | 'logger' | 'timeZone'>,
    Pick<HttpOptions, 'callers' | 'limits' | 'openapi'> {
  rates: Omit<RatesOptions, 'adapters' | 'deadline'> & { adapters: RatesOptions['adapters'] | undefined }
  payments: { adapters: PaymentsOptions['adapters'] | undefined; signWebhooks: boolean }
  store: StorePort | undefined
  deadlines: Partial<Deadlines>
  /** These can also be set in the environment. */
  configuration: Partial<Configuration>
}

const milliseconds = z
  .number('must be a number of milliseconds')
  .min(1, 'must be 1 ms or more')
  .max(60_000, 'must be at most 60,000 ms')
  .optional()
const any = z.unknown().optional()
const isStore = 'must be sqliteStore(), postgresStore() or memoryStore(), or the URL of a database'
const store = z
  .union(
    [z.string(), z.custom<StorePort>((value) => typeof (value as StorePort)?.openAttempt === 'function')],
    isStore,
  )
  .optional()
const flag = z.boolean('must be true or false').optional()

// Values that configuration.ts and the adapters' checks read are any here: those report their faults.
const rates = z.strictObject({
  adapters: any,
  units: any,
  fallback: any,
  onNothing: z.enum(['empty', 'error'], "must be 'empty' or 'error'").optional(),
  convert: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
  deadline: milliseconds,
})
const payments = z.strictObject({
  adapters: any,
  deadlines: z
    .strictObject({ methods: milliseconds, start: milliseconds, status: milliseconds, page: milliseconds })
    .optional(),
  signWebhooks: flag,
  retention: any,
})
const aboveZero = z.number('must be a number above 0').positive('must be a number above 0').optional()
const http = z.strictObject({
  callers: z.strictObject({ from: any, basic: any, bearer: any, shopId: flag }).optional(),
  limits: z.strictObject({ perSecond: aboveZero, burst: aboveZero, concurrent: aboveZero }).optional(),
  trustProxy: any,
  openapi: flag,
  metricsToken: any,
  stopDelay: any,
})
const options = z.strictObject({
  rates: any,
  payments: any,
  store,
  secret: any,
  publicUrl: any,
  port: any,
  development: any,
  clock: any,
  logger: any,
  timeZone: z
    .string('must be the name of a time zone')
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Amsterdam')
    .optional(),
  http: http.optional(),
  network: z.strictObject({ allowLoopback: any, nameServers: any }).optional(),
})
const secrets = z.strictObject({ current: any, previous: any })

/** The options, and every fault of their names and ranges with its place. */
export function readOptions(given: ProviderOptions): { options: GivenOptions; faults: ErrorFault[] } {
  const ratesGroup = groupOf<AnyRateAdapter, RatesOptions>(given.rates)
  const paymentsGroup = groupOf<AnyPaymentAdapter, PaymentsOptions>(given.payments)
  const secret = given.secret ?? undefined
  const faults = [
    ...faultsOf('', options, given),
    ...faultsOf('rates.', rates, ratesGroup),
    ...faultsOf('payments.', payments, paymentsGroup),
    ...(typeof secret === 'object' ? faultsOf('secret.', secrets, secret) : []),
  ]
  const { callers, limits, openapi, ...served } = given.http ?? {}
  const { adapters: rateAdapters, deadline, ...rating } = ratesGroup
  const { adapters: paymentAdapters, deadlines, signWebhooks = false, retention } = paymentsGroup
  const { clock, logger, timeZone, publicUrl, port, development } = given
  const secrecy = typeof secret === 'object' ? secret : { current: secret }
  return {
    faults,
    options: {
      clock,
      logger,
      timeZone,
      callers,
      limits,
      openapi,
      rates: { adapters: rateAdapters, ...rating },
      payments: { adapters: paymentAdapters, signWebhooks },
      store: typeof given.store === 'string' ? undefined : (given.store as StorePort | undefined),
      deadlines: { ...deadlines, ...(deadline !== undefined && { rates: deadline }) },
      configuration: {
        publicUrl,
        port,
        development,
        databaseUrl: typeof given.store === 'string' ? given.store : undefined,
        secret: secrecy.current,
        previousSecret: 'previous' in secrecy ? secrecy.previous : undefined,
        retention,
        ...served,
        ...given.network,
      },
    },
  }
}

/** An adapter, or a list of adapters, is a group without rules. */
function groupOf<A, G extends { adapters: A | readonly A[] }>(given: unknown): Partial<G> {
  const isGroup = typeof given === 'object' && given !== null && 'adapters' in given
  return (isGroup ? given : { adapters: given }) as Partial<G>
}

function faultsOf(place: string, schema: z.ZodObject, given: object): ErrorFault[] {
  const { error } = schema.safeParse(given)
  return (error?.issues ?? []).flatMap((issue) => {
    const path = [place.slice(0, -1), ...issue.path].filter((part) => part !== '').join('.')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map((key) => unknown(path, key, keysAt(schema, issue.path)))
  })
}

/** The places of options that users look for at the top. */
const places = ['rates.', 'payments.', 'http.', 'network.', 'secret.'].flatMap((place, index) =>
  Object.keys([rates, payments, http, options.shape.network.unwrap(), secrets][index]!.shape).map(
    (key) => `${place}${key}`,
  ),
)

function unknown(path: string, key: string, known: string[]): ErrorFault {
  const name = path === '' ? key : `${path}.${key}`
  const elsewhere = places.find((place) => place.endsWith(`.${key}`))
  const meant = elsewhere ? `it is ${elsewhere}` : didYouMean(key, known)
  return { path: name, message: `is not an option: ${meant}` }
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
