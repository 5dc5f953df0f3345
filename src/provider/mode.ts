import { isIP } from 'node:net'
import { isLoopbackHost, isPublic, nameOf } from '../network/private-network.ts'
import { developmentSecret } from '../shops/seal.ts'

/** The inputs that decide whether a provider runs in production. */
export interface ModeFacts {
  /** The option of `createProvider`. */
  development?: boolean | undefined
  publicUrl?: string | undefined
  /** `purveyor serve` sets it: to `development` with `--development`, to `production` otherwise. */
  nodeEnv?: string | undefined
  /** The address of a tunnel to this machine, as `purveyor dev --public-url` sets it. */
  tunnelUrl?: string | undefined
}

export interface Mode {
  development: boolean
  /** The fact that decided, as the end of a sentence that begins with "because". */
  because: string
  /** Whether `developmentOnly` adapters run: in development, and in production through the developer's own tunnel. */
  developmentAdapters: boolean
  /** The fault of the option `development: true`; `createProvider` throws it. */
  fault?: string
}

/**
 * The one rule: a provider is in production unless everything is on this machine. Development is for a `publicUrl` that is missing or
 * loopback, and ends where `NODE_ENV` is `production`.
 */
export function modeOf({ development, publicUrl, nodeEnv, tunnelUrl }: ModeFacts): Mode {
  // An unreadable address is a fault of its own, in development and production.
  const { hostname } = URL.parse(publicUrl ?? '') ?? {}
  const reached = hostname !== undefined && !isLoopbackHost(hostname)
  if (development === false) return production('development is false')
  if (nodeEnv === 'production')
    return production(
      tunnelUrl === undefined
        ? 'NODE_ENV is production, as `purveyor serve` sets it'
        : '--public-url opens it to the internet',
      reached ? 'remove it' : 'remove it, or run `purveyor serve --development`',
    )
  const remedy = 'remove it, or remove publicUrl (PURVEYOR_PUBLIC_URL)'
  if (reached) return production('publicUrl is not an address of this machine', remedy)
  const because = publicUrl === undefined ? 'publicUrl is not set' : 'publicUrl is an address of this machine'
  return { development: true, because, developmentAdapters: true }

  function production(because: string, remedy = ''): Mode {
    return {
      development: false,
      because,
      developmentAdapters: reached && publicUrl === tunnelUrl,
      ...(development === true && { fault: `is true, and ${because}: ${remedy}` }),
    }
  }
}

/** The input of the rules: values as they were given. */
export interface ProductionFacts {
  publicUrl: string | undefined
  secret: string | undefined
  allowLoopback: boolean
  /** Whether the store keeps nothing beyond the process. */
  volatile: boolean
  /** The names of the adapters that production uses, and of those that it leaves out. */
  adapters: readonly string[]
  leftOut: readonly string[]
}

export interface ProductionRule {
  /** The check of `purveyor doctor` that shows it. */
  check: 'public address' | 'secret' | 'loopback' | 'lasting store' | 'adapters'
  /** From when on it holds: a command that only looks into the store needs no public address. */
  from: 'made' | 'started'
  /** Whether the rule is broken. */
  applies: (facts: ProductionFacts) => boolean
  /** The option that breaks it. */
  place: string
  /** The fault, as the rest of a sentence that begins with the place. */
  text: string
  remedy: string
}

export const newSecret = 'set it to 32 random characters or more, such as `openssl rand -hex 32` prints'
const place = 'secret (PURVEYOR_SECRET)'
const ofSecret = { check: 'secret', from: 'made', place, remedy: newSecret } as const
const ofAddress = { check: 'public address', place: 'publicUrl (PURVEYOR_PUBLIC_URL)' } as const

/** The demands of production beside a sound configuration. The start, `purveyor serve` and `purveyor doctor` share this list. */
export const productionRules = {
  SECRET_MISSING: {
    ...ofSecret,
    applies: ({ secret }) => secret === undefined,
    text: 'is required in production',
  },
  SECRET_WEAK: {
    ...ofSecret,
    applies: ({ secret }) =>
      secret !== undefined &&
      (secret.length < 32 || secret === developmentSecret || new Set(secret).size < 8),
    text: 'can be guessed: production needs at least 32 random characters',
  },
  PUBLIC_URL_MISSING: {
    ...ofAddress,
    from: 'started',
    applies: ({ publicUrl }) => publicUrl === undefined,
    text: 'is required in production',
    remedy: 'set it to the https address that the shop calls',
  },
  PUBLIC_URL_NOT_HTTPS: {
    ...ofAddress,
    from: 'made',
    applies: ({ publicUrl = '' }) => URL.parse(publicUrl)?.protocol === 'http:',
    text: 'must be an https address in production, because shops call no other',
    remedy: 'put a TLS proxy in front, and set it to an address such as https://pay.example.com',
  },
  PUBLIC_URL_PRIVATE: {
    ...ofAddress,
    from: 'made',
    applies: ({ publicUrl = '' }) => {
      const url = URL.parse(publicUrl)
      const host = url?.protocol === 'https:' ? nameOf(url) : ''
      return isIP(host) > 0 ? !isPublic(host, false) : isLoopbackHost(host)
    },
    text: 'is an address of this machine or of a private network, which no shop reaches',
    remedy: 'set it to the https address that the shop calls',
  },
  LOOPBACK_ALLOWED: {
    check: 'loopback',
    from: 'made',
    applies: ({ allowLoopback }) => allowLoopback,
    place: 'network.allowLoopback (PURVEYOR_ALLOW_LOOPBACK)',
    text: 'lets everybody who names an address call this machine, and is for development only',
    remedy: 'remove it',
  },
  STORE_IN_MEMORY: {
    check: 'lasting store',
    from: 'started',
    applies: ({ volatile }) => volatile,
    place: 'store (PURVEYOR_DATABASE_URL)',
    text: 'is in memory and keeps nothing',
    remedy: 'remove memoryStore(), and set it to a file or a PostgreSQL server',
  },
  ADAPTERS_LEFT_OUT: {
    check: 'adapters',
    from: 'started',
    applies: ({ adapters, leftOut }) => adapters.length === 0 && leftOut.length > 0,
    place: 'rates and payments',
    text: 'have adapters that are developmentOnly, which production leaves out, and no other',
    remedy: 'give createProvider an adapter for real rates or payments',
  },
} as const satisfies Record<string, ProductionRule>

/** The rules that are broken, in the order of the list. */
export const brokenRules = (facts: ProductionFacts): readonly ProductionRule[] =>
  Object.values<ProductionRule>(productionRules).filter(({ applies }) => applies(facts))
