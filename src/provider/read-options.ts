import type { z } from 'zod'
import { keysAt, nearest, optionFaults } from '../checked-options.ts'
import type { ErrorFault } from '../errors/errors.ts'
import { type CallerRules, callerFaults } from '../http/callers.ts'
import type { StorePort } from '../store-port.ts'
import { type Configuration, settingsIn } from './configuration.ts'
import {
  callers,
  groups,
  has,
  options,
  type PaymentsOptions,
  type ProviderOptions,
  type RatesOptions,
} from './options.ts'

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
  return {
    faults,
    options: { ...given, ...groupsGiven, store: store as StorePort | undefined, configuration },
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
