import type { z } from 'zod'
import { nearest } from '../checked-options.ts'
import { issueWords } from '../contract/issue-words.ts'
import { type ErrorFault, PurveyorError } from '../errors/errors.ts'
import { withoutSlash } from '../shops/shop.ts'
import { brokenRules, type Mode, modeOf, type ProductionFacts, type ProductionRule } from './mode.ts'
import { isOn, schemaFor, storeSchema } from './settings.ts'

type Environment = Record<string, string | undefined>

/** All settings, each from its option or its variable. */
export type Configuration = z.output<ReturnType<typeof schemaFor>> & { development: boolean }

export interface ReadConfiguration extends Configuration {
  /** The reason for development or production. */
  mode: Mode
  facts: ProductionFacts
}

/** The one error of a configuration: a line for each fault. `mode` is given if production requires more than development. */
export function configurationInvalid(faults: readonly ErrorFault[], mode?: Mode, place?: string) {
  const lines = [
    `The configuration has ${faults.length === 1 ? 'a problem' : 'problems'}:`,
    ...faults.map(({ path, message }) => `  - ${path === undefined ? message : `${path} ${message}`}`),
    ...(mode && !mode.development ? [`This is production, because ${mode.because}.`] : []),
  ]
  return new PurveyorError('CONFIGURATION_INVALID', lines.join('\n'), { faults, place })
}

/** Throws one `CONFIGURATION_INVALID` that names every rule of production that is broken. */
export function checkProduction({ mode, facts }: ReadConfiguration): void {
  const broken = mode.development ? [] : brokenRules(facts)
  if (broken.length > 0) throw configurationInvalid(broken.map(faultOf), mode)
}

const faultOf = ({ place: path, text, remedy }: ProductionRule): ErrorFault => {
  return { path, message: `${text}: ${remedy}` }
}

/** Each setting in the environment and, where it lies in a group or is called otherwise, in the options. */
const names: Record<keyof Configuration, [variable: string, option?: string]> = {
  publicUrl: ['PURVEYOR_PUBLIC_URL'],
  databaseUrl: ['PURVEYOR_DATABASE_URL', 'store'],
  secret: ['PURVEYOR_SECRET'],
  previousSecret: ['PURVEYOR_PREVIOUS_SECRET', 'secret.previous'],
  allowLoopback: ['PURVEYOR_ALLOW_LOOPBACK', 'network.allowLoopback'],
  trustProxy: ['PURVEYOR_TRUST_PROXY', 'http.trustProxy'],
  nameServers: ['PURVEYOR_NAME_SERVERS', 'network.nameServers'],
  metricsToken: ['PURVEYOR_METRICS_TOKEN', 'http.metricsToken'],
  retention: ['PURVEYOR_RETENTION_DAYS', 'payments.retention'],
  port: ['PORT'],
  stopDelay: ['PURVEYOR_STOP_DELAY', 'http.stopDelay'],
  logLevel: ['PURVEYOR_LOG_LEVEL'],
  development: ['NODE_ENV'],
}

/** The settings that the options hold. */
export const settingsIn = (options: object): Partial<Configuration> =>
  Object.fromEntries(
    Object.entries(names).map(([setting, [, option = setting]]) => {
      return [setting, option.split('.').reduce<unknown>((at, part) => Object(at)[part], options)]
    }),
  )

/** All variables that Purveyor reads, without `PURVEYOR_`. */
export const variables = [
  ...['BUILD', 'TUNNEL_URL', 'CLOCK_OFFSET', 'SANDBOX_URL', 'PLATFORM_URL', 'PLATFORM_LANGUAGE'],
  ...['PLATFORM_KEY', 'PLATFORM_SECRET'],
  ...Object.values(names).map(([name]) => name.replace('PURVEYOR_', '')),
]

/** Names each variable that is almost one of ours. Others that begin with `PURVEYOR_` may be the user's own. */
export const misspeltVariables = (env: Environment): ErrorFault[] =>
  Object.keys(env).flatMap((path) => {
    const [, end = ''] = /^PURVEYOR_(.+)/.exec(path) ?? []
    const near = variables.includes(end) ? undefined : nearest(end, variables)
    return near === undefined ? [] : [{ path, message: `is not a setting: did you mean PURVEYOR_${near}?` }]
  })

/** Such as `store (PURVEYOR_DATABASE_URL)`. */
function placeOf(setting: keyof Configuration): string {
  const [variable, option = setting] = names[setting]
  return `${option} (${variable})`
}

/** Reads the settings of a command that only reads the store. It needs no secret. Throws `CONFIGURATION_INVALID`. */
export function readStoreConfiguration(env: Environment): z.output<typeof storeSchema> {
  const { data, error } = storeSchema.safeParse(givenFor(storeSchema, {}, env))
  if (data) return data
  throw configurationInvalid(faultsOf(error))
}

export const readMode = (options: Partial<Configuration>, env: Environment): Mode =>
  modeOf({
    development: options.development,
    publicUrl: withoutSlash(textOf(options.publicUrl ?? env[names.publicUrl[0]]) ?? '') || undefined,
    nodeEnv: env.NODE_ENV,
    tunnelUrl: withoutSlash(env.PURVEYOR_TUNNEL_URL ?? '') || undefined,
  })

/** Built at their first use, because a schema costs ten times what it takes to read with it. */
const schemas: Record<string, ReturnType<typeof schemaFor>> = {}

/**
 * Reads the options and, for what they leave out, the environment. Throws one `CONFIGURATION_INVALID` for all that is wrong, with the
 * `faults` of the other options. `volatile` is not set where a URL names the store.
 */
export function readConfiguration(
  options: Partial<Configuration>,
  env: Environment,
  mode: Mode,
  known: Pick<ProductionFacts, 'adapters' | 'leftOut'> & Partial<Pick<ProductionFacts, 'volatile'>>,
  others: readonly ErrorFault[],
): ReadConfiguration {
  const { volatile, adapters, leftOut } = known
  // A wrong request for development is the only fault reported: those of production would hide it.
  const development = mode.development || mode.fault !== undefined
  schemas[`${development}`] ??= schemaFor(development)
  const schema = schemas[`${development}`]!
  const keys = Object.keys(schema.shape) as (keyof Configuration)[]
  const given = givenFor(schema, options, env)
  const { data, error } = schema.safeParse(given)
  const facts: ProductionFacts = {
    ...{ publicUrl: textOf(given.publicUrl), secret: textOf(given.secret), adapters, leftOut },
    allowLoopback: isOn(given.allowLoopback),
    volatile: volatile ?? given.databaseUrl === 'sqlite::memory:',
  }
  const faults = [...others, ...faultsOf(error)]
  if (mode.fault !== undefined) faults.unshift({ path: 'development', message: mode.fault })
  const broken = development ? [] : brokenRules(facts)
  if (data && faults.length === 0 && broken.every(({ from }) => from === 'started'))
    return { ...data, development, mode, facts }
  const all = [...faults, ...broken.map(faultOf), ...misspeltVariables(env)]
  const fromCode = keys.filter((key) => options[key] !== undefined).map(placeOf)
  if (volatile !== undefined) fromCode.push(placeOf('databaseUrl'))
  const ofSettings = new Set([...keys.map(placeOf), ...Object.keys(env)])
  const isOfEnvironment = ({ path = '' }: ErrorFault) => ofSettings.has(path) && !fromCode.includes(path)
  const place = all.every(isOfEnvironment) ? 'environment' : undefined
  throw configurationInvalid(all, development ? undefined : mode, place)
}

const textOf = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined)

/** Each setting from the options or, if they leave it out, from the environment. */
function givenFor(schema: z.ZodObject, options: Partial<Configuration>, env: Environment) {
  const keys = Object.keys(schema.shape) as (keyof Configuration)[]
  return Object.fromEntries(keys.map((key) => [key, options[key] ?? (env[names[key][0]] || undefined)]))
}

const faultsOf = (error: z.ZodError | undefined): ErrorFault[] =>
  (error?.issues ?? []).map((issue) => {
    return { path: placeOf(issue.path[0] as keyof Configuration), message: issueWords(issue) }
  })
