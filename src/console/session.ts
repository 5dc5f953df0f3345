import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import { sameAs } from '../http/callers.ts'
import type { Parts } from '../parts.ts'
import { roles, type Who } from './roles.ts'

/** How long a session lasts, in milliseconds. */
const lasts = 8 * 3_600_000

/** A cookie of the console. The prefix keeps other hosts and paths of the domain from setting it. */
const cookies = { session: '__Host-console', signIn: '__Host-console-sign-in' } as const
type Kind = keyof typeof cookies

const rowOf = (kind: Kind) => ({ kind: 'console', key: kind })

/** Sessions lie in sealed cookies and nowhere else; the store alone knows who was signed out before their end. */
export class Sessions {
  readonly #parts: Parts<'seal' | 'world' | 'store'>

  constructor(parts: Parts<'seal' | 'world' | 'store'>) {
    this.#parts = parts
  }

  /** The person who sends a request; `undefined` without a session, or with one that is over. */
  async of(req: Request): Promise<Who | undefined> {
    const { store, world } = this.#parts
    const who = this.open<Who>('session', req)
    // Another version may have other roles.
    if (!who || !roles.includes(who.role) || world.now() > who.at + lasts) return undefined
    return (await store.signedOutAt(who.name)) >= who.at ? undefined : who
  }

  begin(res: Response, who: Omit<Who, 'at'>): void {
    this.keep('session', res, { ...who, at: this.#parts.world.now() }, lasts)
  }

  /** Keeps a value with the browser, for so many milliseconds. */
  keep(kind: Kind, res: Response, content: object, ms: number): void {
    const value = this.#parts.seal.close(JSON.stringify(content), rowOf(kind))
    const ageLax = `Max-Age=${Math.round(ms / 1_000)}; Path=/; HttpOnly; Secure; SameSite=Lax`
    res.append('Set-Cookie', `${cookies[kind]}=${encodeURIComponent(value)}; ${ageLax}`)
  }

  drop(kind: Kind, res: Response): void {
    res.append('Set-Cookie', `${cookies[kind]}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`)
  }

  open<Content>(kind: Kind, req: Pick<Request, 'headers'>): Content | undefined {
    const value = cookieOf(req, cookies[kind])
    if (value === undefined) return undefined
    try {
      return JSON.parse(this.#parts.seal.open(value, rowOf(kind)))
    } catch {
      // It was changed, or sealed with another secret.
      return undefined
    }
  }
}

/** The cookie of this name in a request. */
export function cookieOf(req: Pick<Request, 'headers'>, name: string): string | undefined {
  const given = (req.headers.cookie ?? '').split(';').map((one) => one.trim())
  const value = given.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  try {
    return value === undefined ? undefined : decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** The token that every form of a session sends along: another site can neither read nor guess it. */
export const formToken = (req: Request): string =>
  hash('sha256', `form of ${cookieOf(req, cookies.session) ?? ''}`, 'base64url')

/** Why a form is refused that does not come from a page of this site. */
export function foreignSite(req: Request): string | undefined {
  const { origin, 'sec-fetch-site': site, host } = req.headers
  // A proxy may have changed the host, which browsers of today make no use of.
  if (site !== undefined) return site === 'same-origin' ? undefined : 'Another site sent this form.'
  if (origin === undefined) return 'The browser does not say which site sent this form.'
  return URL.parse(origin)?.host === host ? undefined : 'Another site sent this form.'
}

/** The same for a form of a session, which sends its token along. */
export function foreignForm(req: Request, given: string | undefined): string | undefined {
  const refused = foreignSite(req)
  if (refused !== undefined) return refused
  if (!sameAs(formToken(req))(given ?? ''))
    return 'This form is from a session that is over. Load the page again.'
  return undefined
}
