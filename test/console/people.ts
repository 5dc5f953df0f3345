import { randomBytes } from 'node:crypto'
import { createProvider, type ProviderOptions } from '../../src/index.ts'
import { hashToken, tokenBytes } from '../../src/shops/seal.ts'
import type { StorePort } from '../../src/store-port.ts'
import { atEnd } from '../at-end.ts'
import { keptLog } from '../listening.ts'
import { lastingStore } from '../production-store.ts'
import { serveOrigin } from '../serve-origin.ts'
import { stillClock } from '../still-clock.ts'

const hour = 3_600_000
const door = { id: 'door', title: 'Door', price_excl: 5, price_incl: 6.05, tax_rate: 0.21 }

type Given = Partial<Omit<ProviderOptions, 'payments' | 'rates' | 'store'>> & {
  store?: StorePort
  payments?: object[]
  rates?: object[]
}

/** The console of a provider in production whose clock stands still, and people who sign in there. */
export async function consoleWith({ store = lastingStore(), console = {}, ...given }: Given = {}) {
  const { lines, logger } = keptLog()
  const clock = stillClock()
  const provider = createProvider({
    ...{ development: false, publicUrl: 'https://pay.example.com', logger, clock, store, console },
    secret: 'a secret of the console tests, 32+',
    rates: ['domestic', 'express'].map((name) => ({ name, quote: () => [door] })),
    ...given,
  } as ProviderOptions)
  const origin = await serveOrigin(provider.router, atEnd)
  atEnd(() => provider.stop())
  await store.open()
  const url = `${origin}/console`

  /** A way in, as `purveyor console link` makes it. */
  async function linkFor(name: string, role: string): Promise<string> {
    const token = randomBytes(tokenBytes).toString('base64url')
    const now = clock.now()
    const link = { tokenHash: hashToken(token), name, role, expiresAt: now + 600_000 }
    await store.addConsoleLink(link, { at: now, by: 'root' })
    return `${url}/link/${token}`
  }

  /** Somebody whose browser has this cookie. */
  const personOf = (cookie: string, name = '') => new Person(url, cookie, name)

  return {
    ...{ provider, store, clock, lines, origin, url, linkFor, personOf, hour },
    nobody: personOf(''),
    async signIn(role: string, name = `${role}-person`): Promise<Person> {
      const answer = await personOf('').post(await linkFor(name, role), {})
      return personOf(cookieOf(answer, '__Host-console'), name)
    },
  }
}

/** The cookie of this name that an answer sets, as a browser sends it. */
export const cookieOf = (answer: Response, name: string): string =>
  answer.headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0] ?? ''

/** A browser: with a cookie, and without following redirects. */
export class Person {
  readonly #url: string
  readonly cookie: string
  readonly name: string

  constructor(url: string, cookie: string, name: string) {
    this.#url = url
    this.cookie = cookie
    this.name = name
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(path.startsWith('http') ? path : `${this.#url}${path}`, {
      headers: { cookie: this.cookie, ...headers },
      redirect: 'manual',
    })
  }

  async page(path: string): Promise<string> {
    return (await this.get(path)).text()
  }

  /** As the browser sends a form of the same origin; `headers` say otherwise. */
  post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = { origin: new URL(this.#url).origin, 'sec-fetch-site': 'same-origin' },
  ): Promise<Response> {
    return fetch(path.startsWith('http') ? path : `${this.#url}${path}`, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(form) },
      headers: { cookie: this.cookie, ...headers },
    })
  }

  /** The token that the forms of this person's pages send along. */
  async token(): Promise<string> {
    return /name="token" value="([\w-]+)"/.exec(await this.page('/'))?.[1] ?? ''
  }

  async act(path: string, action: string, form: Record<string, string> = {}): Promise<Response> {
    return this.post(path, { token: await this.token(), do: action, ...form })
  }
}
