import type { OutgoingCaller } from '../../../src/world.ts'
import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'

const minute = 60_000
/** The life of a token, in milliseconds. A client may renew it in the last tenth. */
const lifetime = 15 * minute
const renewable = 0.89 * lifetime

interface Issued {
  account: string
  value: string
  at: number
  revoked: boolean
  /** How often it was refused with 401 since it was issued. */
  refused: number
}

/**
 * A carrier in virtual time whose accounts have prices of their own. It refuses half of all addresses, is slow, is down for ten minutes, and
 * revokes tokens. It notes every login that nothing called for.
 */
export class Carrier {
  readonly violations: string[] = []
  logins = 0
  refusals = 0
  rejected = 0
  /** When it last failed to answer in time. */
  troubledAt = Number.NEGATIVE_INFINITY
  readonly #clock: Clock
  readonly #random: Random
  readonly #start: number
  readonly #newest = new Map<string, Issued>()
  readonly #tokens = new Map<string, Issued>()
  readonly #loggingIn = new Set<string>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
    this.#start = clock.now
  }

  /** From the 40th to the 50th minute. */
  get isDown(): boolean {
    const at = this.#clock.now - this.#start
    return at >= 40 * minute && at < 50 * minute
  }

  /** Two minutes at the 70th: its answers take up to 4 s. */
  get isSlow(): boolean {
    const at = this.#clock.now - this.#start
    return at >= 70 * minute && at < 72 * minute
  }

  revokeAll(): void {
    for (const token of this.#tokens.values()) token.revoked = true
  }

  readonly fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
    caller?: OutgoingCaller,
  ): Promise<Response> => {
    const signal = init.signal ?? undefined
    const isLogin = String(input).endsWith('/token')
    const [, id = ''] = isLogin ? (/id=([^&]*)/.exec(String(init.body)) ?? []) : []
    if (isLogin) this.#began(id)
    try {
      await this.#takes(signal)
      if (this.isDown) {
        this.troubledAt = this.#clock.now
        return new Response('', { status: 503 })
      }
      return isLogin ? this.#logIn(id) : this.#quote(init, caller)
    } finally {
      if (isLogin) this.#loggingIn.delete(id)
    }
  }

  async #takes(signal: AbortSignal | undefined): Promise<void> {
    const hangs = this.isDown && this.#random.chance(0.5)
    const ms = hangs ? 60_000 : this.#random.between(50, this.isSlow ? 4_000 : 400)
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.troubledAt = this.#clock.now
        cancel()
        reject(signal?.reason)
      }
      const cancel = this.#clock.after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #began(account: string): void {
    this.logins++
    if (this.#loggingIn.has(account)) this.violations.push(`a second login of ${account} while one runs`)
    this.#loggingIn.add(account)
    const newest = this.#newest.get(account)
    if (newest && newest.refused === 0 && this.#clock.now < newest.at + renewable)
      this.violations.push(`a login of ${account} whose token works`)
  }

  #logIn(account: string): Response {
    const value = `${account}-${this.logins}`
    const issued: Issued = { account, value, at: this.#clock.now, revoked: false, refused: 0 }
    this.#tokens.set(value, issued)
    this.#newest.set(account, issued)
    return Response.json({ access_token: value, token_type: 'Bearer', expires_in: lifetime / 1_000 })
  }

  #quote({ headers, body }: RequestInit, caller: OutgoingCaller | undefined): Response {
    const token = this.#tokens.get(new Headers(headers).get('authorization')?.replace('Bearer ', '') ?? '')
    if (!token || token.revoked || this.#clock.now >= token.at + lifetime) {
      if (token) token.refused++
      this.rejected++
      return Response.json({ error: 'invalid_token' }, { status: 401 })
    }
    if (token.account !== caller?.shop)
      this.violations.push(`${caller?.shop} used the token of ${token.account}`)
    if (!isServed(JSON.parse(String(body)).zipcode)) {
      this.refusals++
      return Response.json({ error: 'NOT_SERVED' }, { status: this.#random.pick([400, 404, 422]) })
    }
    return Response.json({ cents: priceOf(token.account) })
  }
}

/** Half of all addresses are. */
export const isServed = (zipcode: string): boolean => Number(zipcode.slice(0, 4)) % 2 === 0

/** Each account has prices of its own, in cents. */
export const priceOf = (account: string): number => 500 + Number(account.replace('shop-', ''))
