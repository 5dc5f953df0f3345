import { fallbackFaults } from '../adapters/offered-methods.ts'
import { type Measure, type Units, unitValues } from '../adapters/units.ts'
import { type AnyPaymentAdapter, type AnyRateAdapter, withFallbacks } from '../any-adapter.ts'
import type { Brand } from '../brand/brand.ts'
import { brandSchema } from '../brand/brand-schema.ts'
import { optionFaults } from '../checked-options.ts'
import type { ErrorFault } from '../errors/errors.ts'
import { fileFault } from '../file-fault.ts'
import { assetFolder } from '../http/pages/adapter-pages.ts'
import { PageAssets } from '../http/pages/assets.ts'
import { PageImages } from '../http/pages/images.ts'
import { allowFaults } from '../http/pages/policy.ts'
import { textFaults } from '../http/pages/texts.ts'
import { readWellKnown } from '../http/well-known.ts'
import { has, memberFaults } from './adapter-members.ts'
import type { Mode } from './mode.ts'
import type { RatesOptions } from './options.ts'

/** The adapters of an option, as a list, and every fault of theirs: a sentence that names the option and what to write. */
export function adapterList<A extends AnyAdapter>(
  option: 'rates' | 'payments',
  given: A | readonly A[] | undefined,
): { list: readonly A[]; faults: string[] } {
  const list = given === undefined ? [] : Array.isArray(given) ? (given as readonly A[]) : [given as A]
  const named = list.filter(isNamed)
  const fallbacks = withFallbacks(named as readonly AnyRateAdapter[]).filter(
    // A fallback that is no object is a fault of its holder.
    (one) => typeof one === 'object' && !named.includes(one as A),
  )
  const ofFallbacks = fallbacks.flatMap((one) => [...faultsOf(option, [one])])
  return { list: named, faults: [...faultsOf(option, list), ...ofFallbacks] }
}

type AnyAdapter = AnyRateAdapter | AnyPaymentAdapter

const isNamed = (adapter: AnyAdapter): boolean =>
  typeof adapter?.name === 'string' && /^[a-z0-9][a-z0-9_-]{0,40}$/i.test(adapter.name)

const required = { rates: ['quote'], payments: ['methods', 'start'] }

function* faultsOf(option: 'rates' | 'payments', list: readonly AnyAdapter[]): Generator<string> {
  const [kind, other] = option === 'rates' ? (['payment', 'payments'] as const) : (['rate', 'rates'] as const)
  const names = new Set<string>()
  for (const adapter of list) {
    if (typeof adapter !== 'object' || adapter === null) {
      yield `${option} must be an adapter, a list of adapters, or an object with adapters`
      continue
    }
    if (!isNamed(adapter)) {
      yield `${option}: an adapter has a name of letters, digits, - and _, such as "domestic"`
      continue
    }
    if (names.has(adapter.name))
      yield `${option}: two adapters are named "${adapter.name}": give each a name of its own`
    names.add(adapter.name)
    const isOther = has(adapter, ...required[other])
    if (isOther && !required[option].some((member) => has(adapter, member))) {
      yield `${option}: "${adapter.name}" is a ${kind} adapter: put it under ${other}`
      continue
    }
    yield* memberFaults(option, adapter)
  }
}

/** Every fault of rate adapters together, and of the rules of `rates`. */
export function* rateFaults(list: readonly AnyRateAdapter[], rules: Partial<RatesOptions>) {
  yield* ratingFaults(rules)
  yield* sharedSettingsFaults(list)
  yield* measureFaults(list, rules.units)
}

/** Adapters that share settings have one schema: what one of them reads, no other may refuse. */
function* sharedSettingsFaults(rates: readonly AnyRateAdapter[]): Generator<string> {
  const schemas = new Map<string, AnyRateAdapter>()
  for (const adapter of withFallbacks(rates)) {
    const { name, settings, settingsName = name } = adapter
    if (!settings) continue
    const known = schemas.get(settingsName)
    if (known && known.settings !== settings)
      yield `rates: "${known.name}" and "${name}" share the settings "${settingsName}", so both must have the same schema`
    schemas.set(settingsName, adapter)
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

const examples: Readonly<Record<Measure, string>> = { weight: 'g', volume: 'cm3', length: 'mm' }

/** The adapters whose rules read a measure that `rates.units` leaves out: a cart would find that out. */
function* measureFaults(rates: readonly AnyRateAdapter[], units: RatesOptions['units']): Generator<string> {
  // Without an object each shop may have its own.
  if (typeof units !== 'object' || units === null) return
  for (const { name, measures = [] } of withFallbacks(rates))
    for (const measure of measures)
      if (units[measure] === undefined)
        yield `rates: the options of "${name}" read the ${measure} of a cart, and rates.units has no ${measure}: add ${measure}: '${examples[measure]}', or the unit of your shops`
}

/** Every fault of the units and the fallback of all shops. Those of one shop come from a function. */
function* ratingFaults({ units, fallback }: Partial<RatesOptions>): Generator<string> {
  if (Array.isArray(fallback))
    yield* fallbackFaults(fallback, 'rates.fallback').map(({ path, message }) => `${path} ${message}`)
  else if (fallback !== undefined && typeof fallback !== 'function')
    yield 'rates.fallback must be a list of methods, or a function that returns one'
  if (units === undefined || typeof units === 'function') return
  if (typeof units !== 'object' || units === null) {
    yield "rates.units must be an object such as { weight: 'g' }, or a function that returns one"
    return
  }
  for (const [what, unit] of Object.entries(units)) {
    const choices = Object.hasOwn(unitValues, what) ? unitValues[what as keyof Units] : undefined
    if (!choices) yield `rates.units has ${Object.keys(unitValues).join(', ')}, and no ${what}`
    else if (unit !== undefined && !choices.includes(unit))
      yield `rates.units.${what} must be one of ${choices.join(', ')}`
  }
}

/** The faults of the pages of payment adapters, of the brands and of the provider's texts, each with its place. */
export function pageFaults(
  { brand, texts }: { brand?: unknown; texts?: unknown },
  adapters: readonly AnyPaymentAdapter[],
  { development }: { development: boolean },
): ErrorFault[] {
  const found = brandFaults('payments.brand', brand)
  for (const { path, message } of textFaults(texts, { ours: true }))
    found.push({ path: `payments.texts${path}`, message })
  found.push(...readWellKnown(adapters).faults.map((message) => ({ message })))
  for (const { name, page, brand: own } of adapters) {
    const place = (member: string) => `payments: ${member} of "${name}"`
    found.push(...brandFaults(place('brand'), own))
    for (const fault of allowFaults(page?.allow, development))
      found.push({ message: `${place('page.allow')} ${fault}` })
    for (const { path, message } of textFaults(page?.texts))
      found.push({ message: `${place(`page.texts${path}`)} ${message}` })
    if (page?.assets === undefined) continue
    const folder = assetFolder(page.assets)
    try {
      new PageAssets(folder)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const why = code && `names ${folder}, which ${fileFault(folder, code, { wanted: 'folder' })}`
      found.push({ message: `${place('page.assets')} ${why ?? message}` })
    }
  }
  return found
}

function brandFaults(place: string, brand: unknown): ErrorFault[] {
  if (brand === undefined) return []
  const faults = optionFaults(brandSchema('files'), brand)
  if (faults.length > 0)
    return faults.map(({ path = [], message }) => ({ path: [place, path].flat().join('.'), message }))
  return (['logo', 'favicon'] as const).flatMap((member) => {
    const source = (brand as Brand)[member]
    // Other images are paths of files.
    const isFile = source !== undefined && !String(source).startsWith('https:')
    const fault = isFile && PageImages.readFile(String(source))
    return typeof fault === 'string' ? [{ path: `${place}.${member}`, message: fault }] : []
  })
}
