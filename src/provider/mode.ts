import { isLoopbackHost } from '../network/loopback.ts'

/** The inputs that decide whether a provider runs in production. */
export interface ModeFacts {
  /** The option of `createProvider`. */
  development: boolean | undefined
  publicUrl: string | undefined
  /** `purveyor serve` sets it: to `development` with `--development`, to `production` otherwise. */
  nodeEnv: string | undefined
  /** The address of a tunnel to this machine, as `purveyor dev --public-url` sets it. */
  tunnelUrl: string | undefined
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
  if (reached)
    return production(
      'publicUrl is not an address of this machine',
      'remove it, or remove publicUrl (PURVEYOR_PUBLIC_URL)',
    )
  return {
    development: true,
    because: publicUrl === undefined ? 'publicUrl is not set' : 'publicUrl is an address of this machine',
    developmentAdapters: true,
  }

  function production(because: string, remedy = ''): Mode {
    return {
      development: false,
      because,
      developmentAdapters: reached && publicUrl === tunnelUrl,
      ...(development === true && { fault: `is true, and ${because}: ${remedy}` }),
    }
  }
}
