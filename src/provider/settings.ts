import { Resolver } from 'node:dns'
import { z } from 'zod'
import { rangeFaults } from '../http/callers.ts'
import { developmentSecret } from '../shops/seal.ts'
import { withoutSlash } from '../shops/shop.ts'
import { newSecret } from './mode.ts'

function areProxies(given: number | readonly string[]): boolean {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 0 && given <= 10
  return rangeFaults(given).length === 0
}

const proxiesWanted =
  'must be the number of proxies in front, or their addresses and ranges such as 10.0.0.0/8'

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

export const isOn = (given: unknown): boolean => given === true || given === 'true' || given === '1'

/** The store and its retention, the same in development and production. */
export const storeSchema = z.object({
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
    .min(30, 'must be 30 days or more: money may still arrive after weeks')
    .default(730),
})

/** Development has other defaults, and takes a shorter secret. */
export function schemaFor(development: boolean) {
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
      .refine(areProxies, proxiesWanted)
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
      'is the same as secret (PURVEYOR_SECRET), so nothing would change: set it to the secret before the change, or remove it',
  })
}
