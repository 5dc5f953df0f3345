import { z } from 'zod'
import { optionFaults } from '../checked-options.ts'
import { PurveyorError } from '../errors/errors.ts'
import type { RateContext } from './adapter.ts'
import { optionsError, optionsOf, settingsOptions } from './options.ts'

/** A value, or a function of the shop's settings that returns it. So are the members of an object. */
export type OfSettings<T, S> = ((settings: S) => T) | Members<T, S>
/** Options whose values may each be a function of the shop's settings. */
export type OptionsOf<T, S> = { [K in keyof T]: OfSettings<T[K], S> }
type Members<T, S> = T extends string | number | boolean | readonly unknown[] | z.ZodType
  ? T
  : T extends object
    ? OptionsOf<T, S>
    : T

/** The schema of the settings that the functions get. */
export interface SettingsOption<S> {
  /** The schema of a shop's settings, for options that are functions of them. Default: none. */
  settings?: z.ZodType<S>
  /** The name of the settings. Default the name of the adapter. */
  settingsName?: string
}

/** A schema for each of the options `O`, and for nothing else. */
export type SchemaOf<O> = Record<Exclude<keyof O, keyof SettingsOption<unknown>>, z.ZodType>

/** The options of a factory, and the schema of the settings that their functions read. */
export function shopOptions<T extends z.ZodType, S>(
  factory: string,
  schema: T,
  all: OptionsOf<z.input<T>, never> & SettingsOption<S>,
): { options: ShopOptions<T>; schema: SettingsOption<S> } {
  if (typeof all !== 'object' || all === null) throw optionsError(factory, [{ message: 'must be an object' }])
  const { settings, settingsName, ...given } = all
  const own = optionsOf(factory, z.object(settingsOptions), { settings, settingsName })
  return { options: new ShopOptions(factory, schema, given), schema: own as SettingsOption<S> }
}

/**
 * Options of an adapter's factory whose values may be functions of the shop's settings. Other values are checked at once; throws
 * `CONFIGURATION_INVALID`, which names every fault. Results of functions are checked once for each settings of a shop.
 */
export class ShopOptions<T extends z.ZodType> {
  readonly #factory: string
  readonly #schema: T
  readonly #given: unknown
  /** The options, where no value is a function. */
  readonly constant: z.output<T> | undefined
  readonly #bySettings = new WeakMap<object, z.output<T>>()

  constructor(factory: string, schema: T, given: unknown) {
    this.#factory = factory
    this.#schema = schema
    this.#given = given
    const functions = functionsIn(given)
    // A union says no more than the path of the whole.
    const isOpen = (path: string) => functions.some((one) => one === path || one.startsWith(`${path}.`))
    const faults = optionFaults(schema, given).filter(({ path = '' }) => !isOpen(path))
    if (faults.length > 0) throw optionsError(factory, faults)
    if (functions.length === 0) this.constant = schema.parse(given)
  }

  /** Throws `SETTINGS_MISSING` if a function throws, or returns what the option does not take. */
  of(ctx: Pick<RateContext, 'settings'>): z.output<T> {
    if (this.constant !== undefined) return this.constant
    const { settings } = ctx
    const isObject = typeof settings === 'object' && settings !== null
    const known = isObject ? this.#bySettings.get(settings) : undefined
    if (known !== undefined) return known
    const options = this.#read(settings)
    if (isObject) this.#bySettings.set(settings, options as z.output<T>)
    return options
  }

  #read(settings: unknown): z.output<T> {
    let resolved: unknown
    try {
      resolved = resolve(this.#given, settings)
    } catch (error) {
      throw this.#unusable('a function of the settings threw', error)
    }
    const result = this.#schema.safeParse(resolved)
    if (result.success) return result.data
    const faults = optionFaults(this.#schema, resolved)
    throw this.#unusable(faults.map(({ path = 'options', message }) => `${path} ${message}`).join(', '))
  }

  #unusable(what: string, cause?: unknown): PurveyorError {
    const message = `${this.#factory}() cannot use the settings of this shop: ${what}`
    return new PurveyorError('SETTINGS_MISSING', message, { place: this.#factory, cause })
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function functionsIn(given: unknown, path = ''): string[] {
  if (typeof given === 'function') return [path]
  if (!isPlain(given)) return []
  return Object.entries(given).flatMap(([key, value]) =>
    functionsIn(value, path === '' ? key : `${path}.${key}`),
  )
}

function resolve(given: unknown, settings: unknown): unknown {
  if (typeof given === 'function') return (given as (settings: unknown) => unknown)(settings)
  if (!isPlain(given)) return given
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, resolve(value, settings)]))
}
