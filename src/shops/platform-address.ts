import { wrongCall } from '../errors.ts'
import { withoutSlash } from './hosts.ts'

interface Credentialed {
  baseUrl: string
  key?: string | undefined
  secret?: string | undefined
}

/**
 * Takes key and secret out of an address such as `https://key:secret@api.platform.example` (spec 5), so that it can be shown. Throws
 * `ARGUMENT_INVALID`, without any value, if the address holds others than `key` and `secret`.
 */
export function withoutUserInfo<T extends Credentialed>(given: T): T {
  const url = typeof given?.baseUrl === 'string' ? URL.parse(given.baseUrl) : null
  if (!url || (url.username === '' && url.password === '')) return given
  const held = { key: decoded(url.username), secret: decoded(url.password) }
  const taken: Partial<Record<'key' | 'secret', string>> = {}
  for (const name of ['key', 'secret'] as const) {
    const own = given[name]
    if (own !== undefined && own !== '' && held[name] !== '' && own !== held[name])
      throw wrongCall(`baseUrl holds another ${name} than ${name}: give it once`)
    if (held[name] !== '') taken[name] = held[name]
  }
  return { ...given, ...taken, baseUrl: `${url.origin}${withoutSlash(url.pathname)}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
