import { z } from 'zod'
import type { ErrorFault } from '../errors.ts'
import { type CallerRules, callerFaults } from '../http/callers.ts'
import { bodySizes } from '../http/limits.ts'
import type { StorePort } from '../store-port.ts'
import { keysAt, nearest } from '../use-cases/nearest.ts'
import { anyOption, functionOption, optionFaults, optionGroup } from '../use-cases/option-faults.ts'
import type { AnyPaymentAdapter, AnyRateAdapter, Deadlines } from '../use-cases/workings.ts'
import type { Configuration } from './configuration.ts'
import type {
  HttpOptions,
  PaymentsOptions,
  ProviderOptions,
  RatesOptions,
  ResourceEventsOptions,
} from './options.ts'

/** The options of `createProvider`, each in its place. */
export interface GivenOptions
  extends Pick<ProviderOptions, 'clock' | 'logger'>,
    Pick<HttpOptions, 'callers' | 'limits' | 'maxBody' | 'openapi'> {
  rates: Omit<RatesOptions, 'adapters' | 'deadline'> & { adapters: RatesOptions['adapters'] | undefined }
  payments: Pick<PaymentsOptions, 'signWebhooks' | 'brand' | 'texts'> &
    Partial<Pick<PaymentsOptions, 'adapters'>>
  resourceEvents: ResourceEventsOptions
  store: StorePort | undefined
  deadlines: Partial<Deadlines>
  /** These can also be set in the environment. */
  configuration: Partial<Configuration>
}

const milliseconds = z
  .number('must be a number of milliseconds')
  .min(50, 'must be 50 or more: it is in milliseconds')
  .max(60_000, 'must be at most 60,000 ms')
  .optional()
const isStore = 'must be sqliteStore(), postgresStore() or memoryStore(), or the URL of a database'
/** Options of a store are no store. */
const storeMeant = (given: unknown): string => {
  const { file, url } = Object(given) as { file?: unknown; url?: unknown }
  if (file !== undefined) return `${isStore}: did you mean sqliteStore({ file })?`
  return url === undefined ? isStore : `${isStore}: did you mean postgresStore({ url })?`
}
const store = z
  .union(
    [z.string(), z.custom<StorePort>((value) => typeof (value as StorePort)?.openAttempt === 'function')],
    { error: ({ input }) => storeMeant(input) },
  )
  .optional()
const flag = z.boolean('must be true or false').optional()

// Values that configuration.ts and the adapters' checks read are not checked here: those report their faults.
const rates = optionGroup({
  adapters: anyOption,
  units: anyOption,
  fallback: anyOption,
  onNothing: z.enum(['empty', 'error'], "must be 'empty' or 'error'").optional(),
  convert: functionOption,
  productFacts: optionGroup({
    file: z.union(
      [z.string().min(1), z.custom((value) => typeof value === 'function')],
      'must be a CSV file, or a function that returns that of a shop',
    ),
    folder: z.string('must be text').min(1, 'must not be empty').optional(),
  }).optional(),
  deadline: milliseconds,
})
const payments = optionGroup({
  adapters: anyOption,
  deadlines: z
    .strictObject({ methods: milliseconds, start: milliseconds, status: milliseconds, page: milliseconds })
    .optional(),
  signWebhooks: flag,
  brand: anyOption,
  texts: anyOption,
  retention: anyOption,
})
const aboveZero = z.number('must be a number above 0').positive('must be a number above 0').optional()
const bytes = `must be a number of bytes, ${bodySizes.least} to ${bodySizes.most}`
const text = z.string('must be text').min(1, 'must not be empty')
const callers = optionGroup({
  from: z.array(z.string('must be text'), 'must be a list of addresses').optional(),
  basic: optionGroup({ user: text, password: text }).optional(),
  bearer: optionGroup({
    jwks: text.optional(),
    secret: text.optional(),
    issuer: text.optional(),
    audience: text.optional(),
  })
    .refine(
      ({ jwks, secret }) => (jwks === undefined) !== (secret === undefined),
      'needs either jwks or secret',
    )
    .optional(),
  shopId: flag,
})
const http = optionGroup({
  callers: callers.optional(),
  limits: optionGroup({ perSecond: aboveZero, burst: aboveZero, concurrent: aboveZero }).optional(),
  maxBody: z.int(bytes).min(bodySizes.least, bytes).max(bodySizes.most, bytes).optional(),
  trustProxy: anyOption,
  openapi: flag,
  metricsToken: anyOption,
  stopDelay: anyOption,
})
const resourceEvents = optionGroup({ orders: functionOption, shipments: functionOption })
const has =
  (...members: string[]) =>
  (value: unknown): boolean =>
    members.every((member) => typeof (value as Record<string, unknown> | null)?.[member] === 'function')
const options = optionGroup({
  rates: anyOption,
  payments: anyOption,
  resourceEvents: resourceEvents.optional(),
  store,
  secret: anyOption,
  publicUrl: anyOption,
  port: anyOption,
  development: flag,
  clock: z.custom(has('now', 'after'), 'must have now() and after(), as movableClock() has').optional(),
  logger: z
    .custom(has('child', 'isLevelEnabled', 'debug', 'info', 'warn', 'error'), 'must be a pino logger')
    .optional(),
  http: http.optional(),
  network: optionGroup({ allowLoopback: anyOption, nameServers: anyOption }).optional(),
})
const secrets = z.strictObject(
  { current: anyOption, previous: anyOption },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'must be text, or an object such as { current, previous }' : undefined,
  },
)

/** The options, and every fault of their names and ranges with its place. */
export function readOptions(all: ProviderOptions): { options: GivenOptions; faults: ErrorFault[] } {
  const adapter = adapterFault(all)
  const given = adapter ? {} : (Object(all ?? {}) as ProviderOptions)
  const ratesGroup = groupOf<AnyRateAdapter, RatesOptions>(given.rates, rates)
  const paymentsGroup = groupOf<AnyPaymentAdapter, PaymentsOptions>(given.payments, payments)
  const secret = given.secret ?? undefined
  const faults = [
    ...(adapter ? [adapter] : faultsOf('', options, all)),
    ...faultsOf('rates', rates, ratesGroup),
    ...faultsOf('payments', payments, paymentsGroup),
    ...(typeof secret === 'object' ? faultsOf('secret', secrets, secret) : []),
    // The form of these rules is right.
    ...callerFaults((callers.safeParse(given.http?.callers).data ?? {}) as CallerRules),
  ]
  const { callers: rules, limits, maxBody, openapi, ...served } = given.http ?? {}
  const { adapters: rateAdapters, deadline, ...rating } = ratesGroup
  const { deadlines, retention, ...paying } = paymentsGroup
  const { clock, logger, publicUrl, port, development } = given
  const secrecy = typeof secret === 'object' ? secret : { current: secret }
  return {
    faults,
    options: {
      clock,
      logger,
      callers: rules,
      limits,
      maxBody,
      openapi,
      rates: { adapters: rateAdapters, ...rating },
      payments: paying,
      resourceEvents: given.resourceEvents ?? {},
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
function groupOf<A, G extends { adapters: A | readonly A[] }>(
  given: unknown,
  { shape }: z.ZodObject,
): Partial<G> {
  const names = typeof given === 'object' && given !== null && !('name' in given) ? Object.keys(given) : []
  const isGroup =
    !Array.isArray(given) && names.some((name) => nearest(name, Object.keys(shape)) !== undefined)
  return (isGroup ? given : { adapters: given }) as Partial<G>
}

/** The fault of an adapter, or a list of adapters, where the options belong. */
function adapterFault(given: unknown): ErrorFault | undefined {
  const [first] = [given].flat()
  const kind = has('quote')(first) ? 'rates' : has('methods')(first) ? 'payments' : undefined
  if (kind === undefined) return undefined
  return {
    path: 'createProvider()',
    message: `takes options, and not an adapter: write createProvider({ ${kind}: adapter })`,
  }
}

/** The places of options that users look for at the top. */
const places = Object.entries({
  rates,
  payments,
  resourceEvents,
  http,
  network: options.shape.network.unwrap(),
  secret: secrets,
}).flatMap(([place, { shape }]) => Object.keys(shape).map((key) => `${place}.${key}`))

/** The place of an option by its name, in any case of letters. */
const placeOf = (key: string) =>
  Object.hasOwn(options.shape, key)
    ? key
    : places.find((one) => one.toLowerCase().endsWith(`.${key.toLowerCase()}`))

/** The places of options by names that they have elsewhere. */
const namedOtherwise: ReadonlyMap<string, string> = new Map([
  ['deadlines', 'rates.deadline or payments.deadlines'],
  ['databaseUrl', 'store'],
  ['previousSecret', 'secret.previous'],
  ['database', 'store'],
  ['db', 'store'],
  ['url', 'publicUrl'],
])

function faultsOf(place: string, schema: z.ZodObject, given: unknown): ErrorFault[] {
  const hint = (key: string, at: readonly PropertyKey[]) => {
    const inGroup = place !== '' || at.length > 0
    // Rather a mistyped option of this group than one of another.
    if (inGroup && nearest(key, keysAt(schema, at)) !== undefined) return undefined
    const elsewhere = namedOtherwise.get(key) ?? placeOf(key)
    return elsewhere && `it is ${elsewhere}`
  }
  return optionFaults(schema, given, hint).map(({ path, message }) => ({
    path: [place, path ?? ''].filter((part) => part !== '').join('.') || 'createProvider()',
    message,
  }))
}
