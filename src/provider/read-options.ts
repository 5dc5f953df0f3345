import { z } from 'zod'
import {
  anyOption,
  each,
  functionOption,
  keysAt,
  nearest,
  optionFaults,
  optionGroup,
} from '../checked-options.ts'
import { consoleOptions } from '../console/options.ts'
import type { ErrorFault } from '../errors/errors.ts'
import { type CallerRules, callerFaults } from '../http/callers.ts'
import { bodySizes } from '../http/limits.ts'
import type { StorePort } from '../store-port.ts'
import { has } from './adapter-members.ts'
import { type Configuration, settingsIn } from './configuration.ts'
import type { PaymentsOptions, ProviderOptions, RatesOptions } from './options.ts'

const milliseconds = z
  .number('must be a number of milliseconds')
  .min(50, 'must be 50 or more: it is in milliseconds')
  .max(60_000, 'must be at most 60,000 ms')
  .optional()
const isStore = 'must be sqliteStore(), postgresStore() or memoryStore(), or the URL of a database'
const flag = z.boolean('must be true or false').optional()
const aboveZero = z.number('must be a number above 0').positive('must be a number above 0').optional()
const bytes = `must be a number of bytes, ${bodySizes.least} to ${bodySizes.most}`
const text = z.string('must be text').min(1, 'must not be empty')
const having = (why: string, ...members: string[]) =>
  z.custom((value) => has(value, ...members), why).optional()

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

/** The readers of each group. Values that configuration.ts and the adapters' checks read are not checked here: those report their faults. */
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
  console: consoleOptions,
  secret: optionGroup(
    each(anyOption, 'current', 'previous'),
    'must be text, or an object such as { current, previous }',
  ),
}

/** The readers of all options: those of the environment are in configuration.ts. */
const options = optionGroup({
  ...each(anyOption, 'rates', 'payments', 'secret', 'publicUrl', 'port'),
  resourceEvents: groups.resourceEvents.optional(),
  store: z.union([z.string(), having(isStore, 'openAttempt')], isStore).optional(),
  development: flag,
  clock: having('must have now() and after(), as movableClock() has', 'now', 'after'),
  logger: having('must be a pino logger', 'child', 'isLevelEnabled', 'debug', 'info', 'warn', 'error'),
  http: groups.http.optional(),
  network: groups.network.optional(),
  console: groups.console.optional(),
})

/** The options by group, `configuration` with those that can also be set in the environment, and every fault of their names and ranges. */
export function readOptions(all: ProviderOptions) {
  const adapter = adapterFault(all)
  const given = adapter ? {} : (Object(all ?? {}) as ProviderOptions)
  const groupsGiven = {
    rates: groupOf<RatesOptions>('rates', given),
    payments: groupOf<PaymentsOptions>('payments', given),
    http: given.http ?? {},
    resourceEvents: given.resourceEvents ?? {},
  }
  const secret = given.secret ?? undefined
  const faults: ErrorFault[] = [
    ...(adapter ? [adapter] : faultsOf('', options, all)),
    ...faultsOf('rates', groups.rates, groupsGiven.rates),
    ...faultsOf('payments', groups.payments, groupsGiven.payments),
    ...(typeof secret === 'object' ? faultsOf('secret', groups.secret, secret) : []),
    // The form of these rules is right.
    ...callerFaults((callers.safeParse(groupsGiven.http.callers).data ?? {}) as CallerRules),
  ]
  const [databaseUrl, store] = typeof given.store === 'string' ? [given.store] : [undefined, given.store]
  const configuration: Partial<Configuration> = {
    ...settingsIn({ ...given, ...groupsGiven }),
    ...{ databaseUrl, secret: typeof secret === 'object' ? secret.current : secret },
  }
  const read = { ...given, ...groupsGiven, store: store as StorePort | undefined, configuration }
  return { faults, options: read }
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
  const kind = has(first, 'quote') ? 'rates' : has(first, 'methods') ? 'payments' : undefined
  if (kind === undefined) return undefined
  const message = `takes options, and not an adapter: write createProvider({ ${kind}: adapter })`
  return { path: 'createProvider()', message }
}

/** The places of options that users look for at the top. */
const places = Object.entries(groups).flatMap(([place, { shape }]) =>
  Object.keys(shape).map((key) => `${place}.${key}`),
)

function faultsOf(place: string, schema: z.ZodObject, given: unknown): ErrorFault[] {
  const hint = (key: string, at: readonly PropertyKey[]) => {
    const inGroup = place !== '' || at.length > 0
    // Rather a mistyped option of this group than one of another.
    if (inGroup && nearest(key, keysAt(schema, at)) !== undefined) return undefined
    const isOfTop = Object.hasOwn(options.shape, key)
    const inAnyCase = places.find((one) => one.toLowerCase().endsWith(`.${key.toLowerCase()}`))
    const elsewhere = key === 'databaseUrl' ? 'store' : isOfTop ? key : inAnyCase
    return elsewhere && `it is ${elsewhere}`
  }
  return optionFaults(schema, given, hint).map(({ path, message }) => ({
    path: [place, path ?? ''].filter((part) => part !== '').join('.') || 'createProvider()',
    message,
  }))
}
