import { PrivateNetwork } from '../network/private-network.ts'
import type { Need } from '../privacy/needs.ts'
import type { OfferedShipmentMethod } from '../rates/adapter.ts'
import { fallbackFaults } from '../rates/check.ts'
import { personalNeeds } from '../rates/key.ts'
import type { Units } from '../rates/units.ts'
import { volumeUnits, weightUnits } from '../rates/units.ts'
import type { AnyPaymentAdapter, AnyRateAdapter } from '../use-cases/workings.ts'
import type { AdapterNetwork } from '../world.ts'
import { checkMembers, checkNeeds } from './adapter-members.ts'
import type { Mode } from './mode.ts'

// Checks of a provider's adapters when it is created: each throws a `TypeError` that names the option and what to write.

/** The adapters of an option, as a list. */
export function adapterList<A extends { name: string; needs?: readonly Need[]; network?: AdapterNetwork }>(
  option: 'rates' | 'payments',
  given: A | readonly A[] | undefined,
  members: string[],
): readonly A[] {
  const list = given === undefined ? [] : Array.isArray(given) ? (given as readonly A[]) : [given as A]
  const names = new Set<string>()
  for (const adapter of list) {
    if (typeof adapter?.name !== 'string' || !/^[a-z0-9][a-z0-9_-]{0,40}$/i.test(adapter.name)) {
      throw new TypeError(`${option}: an adapter has a name of letters, digits, - and _, such as "domestic"`)
    }
    if (names.has(adapter.name)) throw new TypeError(`${option}: two adapters are named "${adapter.name}"`)
    names.add(adapter.name)
    checkMembers(option, adapter)
    for (const member of members) {
      if (typeof (adapter as Record<string, unknown>)[member] !== 'function') {
        throw new TypeError(`${option}: adapter "${adapter.name}" has no ${member}()`)
      }
    }
    checkNeeds(option, adapter)
    checkDevelopmentOnly(option, adapter)
    checkNetwork(`${option}: network of "${adapter.name}"`, adapter.network)
  }
  return list
}

/** Text such as `'false'` would silently leave a real adapter out of production. */
function checkDevelopmentOnly(
  option: string,
  { name, developmentOnly, mode }: { name: string; developmentOnly?: unknown; mode?: unknown },
): void {
  if (developmentOnly !== undefined && typeof developmentOnly !== 'boolean') {
    throw new TypeError(`${option}: developmentOnly of "${name}" must be true or false`)
  }
  if (developmentOnly && mode === 'live') {
    throw new TypeError(`${option}: "${name}" is developmentOnly, so its mode is test: remove mode`)
  }
}

/** The adapters that are in use, and the names of those that are left out because this is production. */
export function adaptersFor<A extends { name: string; developmentOnly?: boolean }>(
  { developmentAdapters }: Pick<Mode, 'developmentAdapters'>,
  list: readonly A[],
): { used: readonly A[]; leftOut: string[] } {
  const isUsed = ({ developmentOnly }: A) => developmentAdapters || !developmentOnly
  return { used: list.filter(isUsed), leftOut: list.filter((one) => !isUsed(one)).map(({ name }) => name) }
}

const answerSizes = { least: 1024, most: 256 * 1024 * 1024 }

function checkNetwork(option: string, network: AdapterNetwork | undefined): void {
  if (network === undefined) return
  if (typeof network !== 'object' || network === null)
    throw new TypeError(`${option} must be an object, such as { allow: ['10.0.3.0/24'] }`)
  const { allow = [], maxAnswer = answerSizes.most, ...unknown } = network
  for (const key of Object.keys(unknown))
    throw new TypeError(`${option} has no ${key}: it has allow and maxAnswer`)
  if (!Number.isInteger(maxAnswer) || maxAnswer < answerSizes.least || maxAnswer > answerSizes.most)
    throw new TypeError(
      `${option}: maxAnswer must be a number of bytes, ${answerSizes.least} to ${answerSizes.most}`,
    )
  new PrivateNetwork(allow, `${option}: allow`)
}

/** Anyone can push, so a push must be verified or confirmed at the payment service. */
export function checkPushReader({ name, push: reader, status }: AnyPaymentAdapter): void {
  if (!reader) return
  const { verify, confirm, read } = reader
  if (typeof read !== 'function') throw new TypeError(`payments: the push of "${name}" has no read()`)
  if (typeof verify === 'function') return
  if (confirm !== 'status') {
    throw new TypeError(`payments: the push of "${name}" needs verify(), or confirm: 'status'`)
  }
  if (!status)
    throw new TypeError(`payments: the push of "${name}" confirms by status(), and has no status()`)
}

export function checkRateAdapter({ name, estimate, cache, needs }: AnyRateAdapter): void {
  if (estimate !== undefined && estimate !== 'quote' && typeof estimate !== 'function') {
    throw new TypeError(`rates: estimate of "${name}" must be a function, or 'quote' to use quote()`)
  }
  if (!cache) return
  for (const [field, value] of Object.entries({ staleFor: 0, noneTtl: 0, ...cache })) {
    if (field === 'key' || (typeof value === 'number' && value >= 0 && Number.isFinite(value))) continue
    throw new TypeError(`rates: cache.${field} of "${name}" must be a number of milliseconds, 0 or more`)
  }
  if (!('ttl' in cache)) throw new TypeError(`rates: cache of "${name}" has no ttl, in milliseconds`)
  const personal = personalNeeds(needs)
  if (personal.length > 0 && !cache.key) {
    throw new TypeError(
      `rates: "${name}" needs ${personal.join(', ')}, so no two requests are equal. Give cache.key(), or no cache`,
    )
  }
}

/** These methods are for every customer, so they are checked at the start. */
export function checkFallback(methods: readonly OfferedShipmentMethod[]): void {
  const [fault] = fallbackFaults(methods)
  if (fault) throw new TypeError(`${fault.path.replace('fallbackRates', 'rates.fallback')} ${fault.message}`)
}

export function checkUnits(units: Units): void {
  const known = { weight: weightUnits, volume: volumeUnits }
  for (const [what, unit] of Object.entries(units)) {
    const choices: readonly string[] | undefined = known[what as keyof Units]
    if (!choices) throw new TypeError(`rates.units has weight and volume, and no ${what}`)
    if (unit !== undefined && !choices.includes(unit)) {
      throw new TypeError(`rates.units.${what} must be one of ${choices.join(', ')}`)
    }
  }
}
