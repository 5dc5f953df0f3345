import { z } from 'zod'
import type { ErrorFault } from '../errors.ts'
import { type CallerRules, callerFaults } from '../http/callers.ts'
import { bodySizes } from '../http/limits.ts'
import type { StorePort } from '../store-port.ts'
import { keysAt, nearest } from '../use-cases/nearest.ts'
import { anyOption, each, functionOption, optionFaults, optionGroup } from '../use-cases/option-faults.ts'
import type { Configuration } from './configuration.ts'
import type { PaymentsOptions, ProviderOptions, RatesOptions } from './options.ts'

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
const flag = z.boolean('must be true or false').optional()
const aboveZero = z.number('must be a number above 0').positive('must be a number above 0').optional()
const bytes = `must be a number of bytes, ${bodySizes.least} to ${bodySizes.most}`
const text = z.string('must be text').min(1, 'must not be empty')
const has =
  (...members: string[]) =>
  (value: unknown): boolean =>
    members.every((member) => typeof Object(value)[member] === 'function')

const callers = optionGroup({
  from: z.array(z.string('must be text'), 'must be a list of addresses').optional(),
  basic: optionGroup({ user: text, password: text }).optional(),
  bearer: optionGroup(each(text.optional(), 'jwks', 'secret', 'issuer', 'audience'))
    .refine(
      ({ jwks, secret }) => (jwks === undefined) !== (secret === undefined),
      'needs either jwks or secret',
    )
    .optional(),
  shopId: flag,
})

/** The options that lie in a group. Values that configuration.ts and the adapters' checks read are not checked here: those report their faults. */
const groups = {
  rates: optionGroup({
    ...each(anyOption, 'adapters', 'units', 'fallback'),
    onNothing: z.enum(['empty', 'error'], "must be 'empty' or 'error'").optional(),
    convert: functionOption,
    productFacts: optionGroup({
      file: z.union(
        [z.string().min(1), z.custom((value) => typeof value === 'function')],
        'must be a CSV file, or a function that returns that of a shop',
      ),
      folder: text.optional(),
    }).optional(),
    deadline: milliseconds,
  }),
  payments: optionGroup({
    ...each(anyOption, 'adapters', 'brand', 'texts', 'retention'),
    deadlines: z.strictObject(each(milliseconds, 'methods', 'start', 'status', 'page')).optional(),
    signWebhooks: flag,
  }),
  resourceEvents: optionGroup(each(functionOption, 'orders', 'shipments')),
  http: optionGroup({
    callers: callers.optional(),
    limits: optionGroup(each(aboveZero, 'perSecond', 'burst', 'concurrent')).optional(),
    maxBody: z.int(bytes).min(bodySizes.least, bytes).max(bodySizes.most, bytes).optional(),
    openapi: flag,
    ...each(anyOption, 'trustProxy', 'metricsToken', 'stopDelay'),
  }),
  network: optionGroup(each(anyOption, 'allowLoopback', 'nameServers')),
  secret: z.strictObject(each(anyOption, 'current', 'previous'), {
    error: ({ code }) =>
      code === 'invalid_type' ? 'must be text, or an object such as { current, previous }' : undefined,
  }),
}

const options = optionGroup({
  ...each(anyOption, 'rates', 'payments', 'secret', 'publicUrl', 'port'),
  resourceEvents: groups.resourceEvents.optional(),
  store: z
    .union([z.string(), z.custom(has('openAttempt'))], { error: ({ input }) => storeMeant(input) })
    .optional(),
  development: flag,
  clock: z.custom(has('now', 'after'), 'must have now() and after(), as movableClock() has').optional(),
  logger: z
    .custom(has('child', 'isLevelEnabled', 'debug', 'info', 'warn', 'error'), 'must be a pino logger')
    .optional(),
  http: groups.http.optional(),
  network: groups.network.optional(),
})

/** The options, each in its place, and every fault of their names and ranges. `configuration`: those that can also be set in the environment. */
export function readOptions(all: ProviderOptions) {
  const adapter = adapterFault(all)
  const given = adapter ? {} : (Object(all ?? {}) as ProviderOptions)
  const ratesGroup = groupOf<RatesOptions>('rates', given)
  const paymentsGroup = groupOf<PaymentsOptions>('payments', given)
  const secret = given.secret ?? undefined
  const faults: ErrorFault[] = [
    ...(adapter ? [adapter] : faultsOf('', options, all)),
    ...faultsOf('rates', groups.rates, ratesGroup),
    ...faultsOf('payments', groups.payments, paymentsGroup),
    ...(typeof secret === 'object' ? faultsOf('secret', groups.secret, secret) : []),
    // The form of these rules is right.
    ...callerFaults((callers.safeParse(given.http?.callers).data ?? {}) as CallerRules),
  ]
  const { callers: rules, limits, maxBody, openapi, ...served } = given.http ?? {}
  const { deadline, ...rates } = ratesGroup
  const { deadlines, retention, ...payments } = paymentsGroup
  const { clock, logger, publicUrl, port, development, resourceEvents = {} } = given
  const [databaseUrl, store] = typeof given.store === 'string' ? [given.store] : [undefined, given.store]
  const secrecy = typeof secret === 'object' ? secret : { current: secret, previous: undefined }
  const configuration: Partial<Configuration> = {
    ...{ publicUrl, port, development, databaseUrl, retention, ...served, ...given.network },
    ...{ secret: secrecy.current, previousSecret: secrecy.previous },
  }
  return {
    faults,
    options: {
      ...{
        clock,
        logger,
        callers: rules,
        limits,
        maxBody,
        openapi,
        rates,
        payments,
        resourceEvents,
        configuration,
      },
      store: store as StorePort | undefined,
      deadlines: { ...deadlines, ...(deadline !== undefined && { rates: deadline }) },
    },
  }
}

/** An adapter, or a list of adapters, is a group without rules. */
function groupOf<Group>(option: 'rates' | 'payments', { [option]: given }: ProviderOptions): Partial<Group> {
  const names = typeof given === 'object' && given !== null && !('name' in given) ? Object.keys(given) : []
  const known = Object.keys(groups[option].shape)
  const isGroup = !Array.isArray(given) && names.some((name) => nearest(name, known) !== undefined)
  return (isGroup ? given : { adapters: given }) as object as Partial<Group>
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
const places = Object.entries(groups).flatMap(([place, { shape }]) =>
  Object.keys(shape).map((key) => `${place}.${key}`),
)

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
    const isOfTop = Object.hasOwn(options.shape, key)
    const inAnyCase = places.find((one) => one.toLowerCase().endsWith(`.${key.toLowerCase()}`))
    const elsewhere = namedOtherwise.get(key) ?? (isOfTop ? key : inAnyCase)
    return elsewhere && `it is ${elsewhere}`
  }
  return optionFaults(schema, given, hint).map(({ path, message }) => ({
    path: [place, path ?? ''].filter((part) => part !== '').join('.') || 'createProvider()',
    message,
  }))
}
