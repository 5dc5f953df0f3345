import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { PurveyorError } from '../../errors/errors.ts'
import { orAborted } from '../../world.ts'
import type { RateContext } from '../adapter.ts'
import { callable, optionsOf } from '../options.ts'
import type { Login, LoginHeaders } from './carrier-calls.ts'
import { requestToken, type Token, type TokenCall } from './token-call.ts'

/** The client credentials of one account with the carrier. */
export interface OAuthCredentials {
  id: string
  secret: string
}

/** Options of `oauth`. Times are in milliseconds. */
export interface OAuthOptions<S = unknown> {
  tokenUrl: string | ((settings: S) => string)
  /** The account of the shop. */
  credentials: (settings: S) => Partial<OAuthCredentials> | undefined
  /** The scope to ask for. Default: none. */
  scope?: string | ((settings: S) => string | undefined)
  /** The audience to ask for. Default: none. */
  audience?: string | ((settings: S) => string | undefined)
  /** How the credentials are sent. Default `basic`, in a header; `body` for services that read them in the form. */
  send?: 'basic' | 'body'
  /** More headers of the call, such as `x-merchant-id`. */
  headers?: Record<string, string | undefined> | ((settings: S) => Record<string, string | undefined>)
  /** More fields of the form, beside `grant_type`, `scope` and `audience`. */
  form?: Record<string, string | undefined> | ((settings: S) => Record<string, string | undefined>)
  /** The whole body as JSON, instead of the form and the credentials: for a login that is not of RFC 6749. */
  json?: (settings: S) => unknown
  /** Finds the token and its life in seconds. Default `access_token` and `expires_in`. */
  read?: (body: unknown) => { token?: unknown; seconds?: unknown }
  /** The limit for one call of the token endpoint, in milliseconds. Default 5,000. The deadline of a quote does not end it. */
  timeout?: number
  /** How long a token is used whose end the service does not name, in milliseconds. Default one hour. */
  lifetime?: number
}

const text = z.union([z.string().min(1), callable]).optional()
const texts = z.union([z.record(z.string(), z.string().optional()), callable]).optional()
const options = z
  .strictObject({
    tokenUrl: z.union(
      [z.url({ protocol: /^https?$/ }), callable],
      'must be an http or https address, or a function that returns one',
    ),
    credentials: callable,
    ...{ scope: text, audience: text, headers: texts, form: texts },
    json: callable.optional(),
    read: callable.optional(),
    send: z.enum(['basic', 'body']).optional(),
    timeout: z.number().positive().default(5_000),
    lifetime: z.number().positive().default(3_600_000),
  })
  .refine(({ json, scope, audience, form, send }) => !json || !(scope ?? audience ?? form ?? send), {
    path: ['json'],
    error: 'is the whole body: remove scope, audience, form and send',
  })

/** The most tokens of one login. The least used is dropped. */
const mostTokens = 10_000
/** A token is renewed in the last tenth of its life, of one minute at least and ten minutes at most before its end. */
const renewal = { part: 0.1, least: 60_000, most: 600_000 }
/** After a failed renewal of a token that still works, the next try waits, in milliseconds. */
const pauseAfterFailure = 5_000

interface Kept {
  token?: Token | undefined
  calling?: Promise<Token> | undefined
  /** The token was made because of a 403: another one would be refused too. */
  after403: boolean
  renewNotBefore: number
}

/**
 * OAuth 2.0 client credentials for `auth` of `remoteRates` (RFC 6749, section 4.4). Each shop and account has a token of its own in the
 * memory of the process; it is never stored. One call serves all who wait. A token is renewed before it ends, and once after 401 or 403.
 * Share one login among the adapters of a carrier. Throws `CONFIGURATION_INVALID` for wrong options.
 */
export function oauth<S = unknown>(given: OAuthOptions<S>): Login<S> {
  return new ClientCredentials(given)
}

class ClientCredentials<S> implements Login<S> {
  readonly #given: OAuthOptions<S>
  readonly #options: z.output<typeof options>
  readonly #kept = new LRUCache<string, Kept>({ max: mostTokens })

  constructor(given: OAuthOptions<S>) {
    this.#options = optionsOf('oauth', options, given)
    this.#given = given
  }

  async headers(ctx: RateContext<S>): Promise<LoginHeaders> {
    const account = this.#accountOf(ctx)
    const token = await this.#token(account, ctx)
    return this.#headersOf(token, account, ctx)
  }

  #headersOf(token: Token, account: Account, ctx: RateContext<S>): LoginHeaders {
    return {
      headers: { authorization: `Bearer ${token.value}` },
      refused: async (status) => {
        const kept = this.#keptOf(account)
        // Of all who were refused with this token, the first one begins the call.
        if (kept.token === token) {
          if (status === 403 && kept.after403) return undefined
          kept.token = undefined
          kept.after403 = status === 403
        }
        return this.#headersOf(await this.#token(account, ctx), account, ctx)
      },
    }
  }

  async #token(account: Account, ctx: RateContext<S>): Promise<Token> {
    const kept = this.#keptOf(account)
    const now = ctx.now()
    const { token } = kept
    if (!token || now >= token.endsAt) return orAborted(this.#call(kept, account, ctx), ctx.signal)
    if (now >= token.renewAt && now >= kept.renewNotBefore && !kept.calling) {
      kept.renewNotBefore = now + pauseAfterFailure
      this.#call(kept, account, ctx).catch((error: unknown) =>
        ctx.log.warn({ shop: ctx.shop.id, err: error }, 'the token of a carrier could not be renewed early'),
      )
    }
    return token
  }

  #call(kept: Kept, account: Account, ctx: RateContext<S>): Promise<Token> {
    kept.calling ??= this.#request(account, ctx)
      .then((token) => (kept.token = token))
      .finally(() => (kept.calling = undefined))
    return kept.calling
  }

  async #request({ request }: Account, ctx: RateContext<S>): Promise<Token> {
    const { send = 'basic', timeout, lifetime } = this.#options
    const { read, tokenUrl } = this.#given
    const asked = ctx.now()
    const how = { send, timeout, read, urlOfShop: typeof tokenUrl === 'function' }
    const { value, lasts = lifetime } = await requestToken({ ...request, ...how }, ctx)
    const ahead = Math.min(Math.max(lasts * renewal.part, renewal.least), renewal.most, lasts / 2)
    // The life counts from the question: the clock of the service does not matter.
    return { value, endsAt: asked + lasts, renewAt: asked + lasts - ahead }
  }

  #keptOf({ key }: Account): Kept {
    const kept = this.#kept.get(key) ?? { after403: false, renewNotBefore: 0 }
    this.#kept.set(key, kept)
    return kept
  }

  #accountOf({ shop, settings }: RateContext<S>): Account {
    const { tokenUrl: url, credentials, scope, audience, headers, form, json } = this.#given
    const of = <T>(given: T | ((settings: S) => T | undefined) | undefined): T | undefined =>
      typeof given === 'function' ? (given as (settings: S) => T | undefined)(settings) : given
    const { id = '', secret = '' } = credentials(settings) ?? {}
    if (id === '' || secret === '') {
      const place = id === '' ? 'id' : 'secret'
      throw new PurveyorError('CONFIGURATION_INVALID', `oauth: credentials.${place} is not set`, { place })
    }
    const request = {
      ...{ tokenUrl: of(url) ?? '', id, secret, headers: of(headers), form: of(form) },
      ...{ scope: of(scope) || undefined, audience: of(audience) || undefined, json: json?.(settings) },
    }
    const parts = [shop.id, request]
    return { key: hash('sha256', JSON.stringify(parts), 'base64'), request }
  }
}

interface Account {
  /** By shop, credentials and all else that is sent, without them in clear. */
  key: string
  request: Omit<TokenCall, 'urlOfShop' | 'send' | 'read' | 'timeout'>
}
