import { Resolver } from 'node:dns'
import { z } from 'zod'
import { nearest } from '../checked-options.ts'
import { issueWords } from '../contract/issue-words.ts'
import { type ErrorFault, PurveyorError } from '../errors/errors.ts'
import { rangeFaults } from '../http/callers.ts'
import { developmentSecret } from '../shops/seal.ts'
import { withoutSlash } from '../shops/shop.ts'
import {
  brokenRules,
  type Mode,
  modeOf,
  newSecret,
  type ProductionFacts,
  type ProductionRule,
} from './mode.ts'

/** All settings, each from its option or its variable. */
export type Configuration = z.output<ReturnType<typeof schemaFor>> & { development: boolean }

export interface ReadConfiguration extends Configuration {
  /** The reason for development or production. */
  mode: Mode
  facts: ProductionFacts
}

/** The one error of a configuration: a line for each fault. `mode` is given if production requires more than development. */
export function configurationInvalid(
  faults: readonly ErrorFault[],
  mode?: Mode,
  place?: string,
): PurveyorError {
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

const faultOf = ({ place, text, remedy }: ProductionRule): ErrorFault => ({
  path: place,
  message: `${text}: ${remedy}`,
})

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
    Object.entries(names).map(([setting, [, option = setting]]) => [
      setting,
      option.split('.').reduce<unknown>((at, part) => Object(at)[part], options),
    ]),
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

function areProxies(given: number | readonly string[]): boolean {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 0 && given <= 10
  return rangeFaults(given).length === 0
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const nameServersWanted =
  'must be one to eight addresses of name servers, such as 10.0.0.53, 10.0.0.53:5353 or [fd00::53]:5353'
/** Node would read it as no port at all. */
const portZero = /^[\d.]+:0+$|]:0+$/

function areNameServers(given: readonly string[]): boolean {
  try {
    new Resolver().setServers(given)
    return given.length > 0 && given.length <= 8 && !given.some((one) => portZero.test(one))
  } catch {
    return false
  }
}

const digits = z.string().regex(/^\d+$/).transform(Number)
const listed = z.string().transform((text) => text.split(',').map((one) => one.trim()))
const nameServers = z
  .union([z.array(z.string()).readonly(), listed], nameServersWanted)
  .refine(areNameServers, nameServersWanted)
  .optional()

function isPlain(address: string): boolean {
  const url = URL.parse(address)
  return !url || (!/[?#]/.test(address) && url.username === '' && url.password === '')
}

type Environment = Record<string, string | undefined>

/** The store and its retention, the same in development and production. */
const storeSchema = z.object({
  databaseUrl: z
    .string()
    .regex(
      /^(sqlite:.|postgres(ql)?:\/\/[^/])/,
      'must be sqlite: and a path, such as sqlite:./data/purveyor.db, or postgres://user:password@host/database',
    )
    .default('sqlite:./data/purveyor.db'),
  /** In days. */
  retention: z.coerce
    .number('must be a number of days')
    .min(30, 'must be 30 days or more: money may arrive that late')
    .default(730),
})

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

/** Development has other defaults, and takes a shorter secret. */
function schemaFor(development: boolean) {
  const { databaseUrl, retention } = storeSchema.shape
  const previous = z.string().min(16, 'needs at least 16 characters')
  const settings = z.object({
    /** The public address of the provider, without a slash at the end. Default: the address it listens on. */
    publicUrl: z
      .url({
        protocol: /^https?$/,
        error: development
          ? 'must be an http or https address of this machine, such as http://127.0.0.1:3000/checkout'
          : 'must be an https address, such as https://pay.example.com',
      })
      .refine(
        isPlain,
        'must have no user name, query or fragment: tokens are added to its path, as in https://pay.example.com/checkout',
      )
      .transform(withoutSlash)
      .optional(),
    databaseUrl,
    secret: z
      .string('must be text')
      .min(development ? 16 : 0, `is short: ${newSecret}`)
      .default(developmentSecret),
    /** The earlier secrets of the store, newest first, while the secret is being changed. */
    previousSecret: z
      .union([previous, z.array(previous).min(1).readonly()], 'needs at least 16 characters')
      .optional(),
    /** Allows http and addresses of this machine. */
    allowLoopback: z
      .union([z.boolean(), z.enum(['0', '1', 'false', 'true']).transform(isOn)], 'must be true or false')
      .default(development),
    /** The trusted proxies in front: their number, or their addresses. */
    trustProxy: z
      // `2` trusts two proxies, `10.0.0.0/8,192.0.2.7` the proxies at these addresses.
      .union([z.number(), z.array(z.string()).readonly(), digits, listed])
      .refine(
        areProxies,
        'must be the number of proxies in front, or their addresses and ranges such as 10.0.0.0/8',
      )
      .optional(),
    /** Name servers to ask instead of the system's. */
    nameServers,
    /** The bearer token of `/metrics`. */
    metricsToken: z
      .string()
      .regex(
        /^[\x21-\x7e]{16,256}$/,
        'needs at least 16 characters and no space, such as the output of `openssl rand -hex 32`',
      )
      .optional(),
    retention,
    port: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(0, 'must be 0 or more')
      .max(65535, 'must be at most 65535')
      .default(3000),
    /** The time from a stop to the close of the listener, in milliseconds. */
    stopDelay: z.coerce
      .number('must be a number of milliseconds')
      .int('must be a whole number of milliseconds')
      .min(0, 'must be 0 or more')
      .max(300_000, 'must be at most 300000 ms')
      .default(development ? 0 : 5_000),
    logLevel: z.enum(logLevels).default(development ? 'warn' : 'info'),
  })
  // With equal secrets a change would report that all is sealed with the new secret, while the old one is still in use.
  return settings.refine(({ secret, previousSecret = [] }) => ![previousSecret].flat().includes(secret), {
    path: ['previousSecret'],
    message:
      'is the same as secret (PURVEYOR_SECRET), so nothing would change: set it to the secret of before the change, or remove it',
  })
}

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
    publicUrl: textOf(given.publicUrl),
    secret: textOf(given.secret),
    allowLoopback: isOn(given.allowLoopback),
    volatile: volatile ?? given.databaseUrl === 'sqlite::memory:',
    adapters,
    leftOut,
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

const isOn = (given: unknown): boolean => given === true || given === 'true' || given === '1'
const textOf = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined)

/** Each setting from the options or, if they leave it out, from the environment. */
function givenFor(schema: z.ZodObject, options: Partial<Configuration>, env: Environment) {
  const keys = Object.keys(schema.shape) as (keyof Configuration)[]
  return Object.fromEntries(keys.map((key) => [key, options[key] ?? (env[names[key][0]] || undefined)]))
}

const faultsOf = (error: z.ZodError | undefined): ErrorFault[] =>
  (error?.issues ?? []).map((issue) => ({
    path: placeOf(String(issue.path[0]) as keyof Configuration),
    message: issueWords(issue),
  }))
