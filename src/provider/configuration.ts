import { Resolver } from 'node:dns'
import { z } from 'zod'
import { addressRanges } from '../http/addresses.ts'
import { withoutSlash } from '../shops/hosts.ts'
import { developmentSecret } from '../shops/seal.ts'
import { type Mode, modeOf } from './mode.ts'

export interface Configuration {
  /** The public address of the provider, without a slash at the end. Default: the address it listens on. */
  publicUrl?: string | undefined
  databaseUrl: string
  secret: string
  /** The earlier secrets of the store, newest first, while the secret is being changed. */
  previousSecret?: string | readonly string[] | undefined
  /** Allows http and addresses of this machine. */
  allowLoopback: boolean
  /** The trusted proxies in front: their number, or their addresses. */
  trustProxy?: number | readonly string[] | undefined
  /** Name servers to ask instead of the system's. */
  nameServers?: readonly string[] | undefined
  /** The bearer token of `/metrics`. */
  metricsToken?: string | undefined
  /** In days. */
  retention: number
  port: number
  /** The time from a stop to the close of the listener, in milliseconds. */
  stopDelay: number
  logLevel: string
  development: boolean
}

export interface ReadConfiguration extends Configuration {
  /** The reason for development or production. */
  mode: Mode
}

/** One or more settings are missing or wrong. The message names each one and what to set instead. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly code = 'CONFIGURATION_INVALID'
  readonly problems: string[]
  /** `mode` is given if production requires more than development. */
  constructor(problems: string[], mode?: Pick<Mode, 'because'>) {
    super(
      [
        `The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:`,
        ...problems.map((problem) => `  - ${problem}`),
        ...(mode ? [`This is production, because ${mode.because}.`] : []),
      ].join('\n'),
    )
    this.problems = problems
  }
}

/** An address that no shop can call. `purveyor serve` refuses it, together with other problems. */
export const publicUrlMissing =
  'publicUrl (PURVEYOR_PUBLIC_URL) is required in production: the https address that the shop calls'

/** The place of each setting in the options. */
const places: Partial<Record<keyof Configuration, string>> = {
  databaseUrl: 'store',
  previousSecret: 'secret.previous',
  allowLoopback: 'network.allowLoopback',
  nameServers: 'network.nameServers',
  trustProxy: 'http.trustProxy',
  metricsToken: 'http.metricsToken',
  stopDelay: 'http.stopDelay',
  retention: 'payments.retention',
}

const names: Record<keyof Configuration, string> = {
  publicUrl: 'PURVEYOR_PUBLIC_URL',
  databaseUrl: 'PURVEYOR_DATABASE_URL',
  secret: 'PURVEYOR_SECRET',
  previousSecret: 'PURVEYOR_PREVIOUS_SECRET',
  allowLoopback: 'PURVEYOR_ALLOW_LOOPBACK',
  trustProxy: 'PURVEYOR_TRUST_PROXY',
  nameServers: 'PURVEYOR_NAME_SERVERS',
  metricsToken: 'PURVEYOR_METRICS_TOKEN',
  retention: 'PURVEYOR_RETENTION_DAYS',
  port: 'PORT',
  stopDelay: 'PURVEYOR_STOP_DELAY',
  logLevel: 'PURVEYOR_LOG_LEVEL',
  development: 'NODE_ENV',
}

/** `2` trusts two proxies, `10.0.0.0/8,192.0.2.7` the proxies at these addresses. */
function proxies(given: number | string | readonly string[]): number | readonly string[] {
  if (typeof given !== 'string') return given
  return /^\d+$/.test(given) ? Number(given) : given.split(',').map((part) => part.trim())
}

function areProxies(given: number | readonly string[]): boolean {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 0 && given <= 10
  try {
    addressRanges('trustProxy', given)
    return true
  } catch {
    return false
  }
}

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
  retention: z.coerce
    .number('must be a number of days')
    .min(30, 'must be 30 days or more: money may arrive that late')
    .default(730),
})

/** Reads the settings of a command that only reads the store. It needs no secret. Throws a `ConfigurationError`. */
export function readStoreConfiguration(env: Environment): z.output<typeof storeSchema> {
  const { data, error } = storeSchema.safeParse(givenFor(storeSchema, {}, env))
  if (data) return data
  throw new ConfigurationError(problemsOf(error))
}

/** Reads the options and, for what they leave out, the environment. Throws one `ConfigurationError` for all faults. */
export function readConfiguration(
  options: Partial<Configuration>,
  env: Environment,
  /** Further faults. */
  others: readonly string[] = [],
): ReadConfiguration {
  const mode = modeOf({
    development: options.development,
    publicUrl: withoutSlash(options.publicUrl ?? env[names.publicUrl] ?? '') || undefined,
    nodeEnv: env.NODE_ENV,
    tunnelUrl: withoutSlash(env.PURVEYOR_TUNNEL_URL ?? '') || undefined,
  })
  // A wrong request for development is the only fault reported: those of production would hide it.
  const development = mode.development || mode.fault !== undefined
  const web = development ? /^https?$/ : /^https$/
  const { databaseUrl, retention } = storeSchema.shape
  const previous = z.string().min(16, 'needs at least 16 characters')
  const schema = z.object({
    publicUrl: z
      .url({
        protocol: web,
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
    secret: development
      ? z.string().min(16, 'needs at least 16 characters').default(developmentSecret)
      : z
          .string('is required in production: 32 random characters or more')
          .min(32, { error: 'needs at least 32 random characters', abort: true })
          .refine(
            (secret) => secret !== developmentSecret && new Set(secret).size >= 8,
            'can be guessed: use 32 random characters, such as the output of `openssl rand -base64 32`',
          ),
    previousSecret: z.union([previous, z.array(previous).min(1)], 'needs at least 16 characters').optional(),
    allowLoopback: z
      .union([
        z.boolean(),
        z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true'),
      ])
      .default(development)
      .refine(
        (allowed) => development || !allowed,
        'lets any caller make the provider call this machine, and is for development only. Remove it',
      ),
    trustProxy: z
      .union([z.number(), z.array(z.string()), z.string()])
      .transform(proxies)
      .refine(
        areProxies,
        'must be the number of proxies in front, or their addresses and ranges such as 10.0.0.0/8',
      )
      .optional(),
    nameServers: z
      .union(
        [z.array(z.string()), z.string().transform((text) => text.split(',').map((one) => one.trim()))],
        nameServersWanted,
      )
      .refine(areNameServers, nameServersWanted)
      .optional(),
    metricsToken: z
      .string()
      .regex(
        /^[\x21-\x7e]{16,256}$/,
        'needs at least 16 characters and no space, such as the output of `openssl rand -hex 24`',
      )
      .optional(),
    retention,
    port: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(0, 'must be 0 or more')
      .max(65535, 'must be at most 65535')
      .default(3000),
    stopDelay: z.coerce
      .number('must be a number of milliseconds')
      .int('must be a whole number of milliseconds')
      .min(0, 'must be 0 or more')
      .max(300_000, 'must be at most 300000 ms')
      .default(development ? 0 : 5_000),
    logLevel: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default(development ? 'warn' : 'info'),
  })
  const given = givenFor(schema, options, env)
  const { data, error } = schema.safeParse(given)
  const problems = [...others, ...problemsOf(error)]
  if (mode.fault !== undefined) problems.unshift(`development ${mode.fault}`)
  if (data && problems.length === 0) return { ...data, development, mode }
  if (!development && given.publicUrl === undefined) problems.push(publicUrlMissing)
  throw new ConfigurationError(problems, development ? undefined : mode)
}

/** Each setting from the options or, if they leave it out, from the environment. */
function givenFor(schema: z.ZodObject, options: Partial<Configuration>, env: Environment) {
  const keys = Object.keys(schema.shape) as (keyof Configuration)[]
  return Object.fromEntries(keys.map((key) => [key, options[key] ?? (env[names[key]] || undefined)]))
}

const problemsOf = (error: z.ZodError | undefined): string[] =>
  (error?.issues ?? []).map(({ path, message }) => {
    const key = String(path[0]) as keyof Configuration
    return `${places[key] ?? key} (${names[key]}) ${message}`
  })
