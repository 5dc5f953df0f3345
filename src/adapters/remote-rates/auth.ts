import { z } from 'zod'
import { PurveyorError } from '../../errors.ts'
import type { RateContext } from '../../rates/adapter.ts'
import type { MaybePromise } from '../../world.ts'
import { callable } from '../options.ts'

/** A secret, or a function that reads it at each call: `() => process.env.CARRIER_KEY`, or `({ settings }) => settings.key`. */
type Secret<S> = string | ((ctx: RateContext<S>) => string | undefined)

/** A login that ends and is renewed, as `oauth` makes it. */
export interface Login<S = unknown> {
  /** The headers of a call, and the login that they carry. */
  headers(ctx: RateContext<S>): Promise<LoginHeaders>
}

/** The headers of one call, with what to do if the carrier refuses them. */
export interface LoginHeaders {
  headers: Record<string, string>
  /** The carrier refused them with this status, or with another one that `expired` takes for 401. Resolves with those of a new login, or `undefined` if there is none. */
  refused(status: number): Promise<LoginHeaders | undefined>
}

/** The credentials that `remoteRates` sends. Each secret is a text, or a function that reads it at each call. */
export type RemoteAuth<S = unknown> =
  | { bearer: Secret<S> }
  | { basic: { user: Secret<S>; password: Secret<S> } }
  | { header: { name: string; value: Secret<S> } }
  | Login<S>

const secret = z.union([z.string().min(1), callable])

export const authOption = z
  .union(
    [
      z.strictObject({ bearer: secret }),
      z.strictObject({ basic: z.strictObject({ user: secret, password: z.union([z.string(), callable]) }) }),
      z.strictObject({ header: z.strictObject({ name: z.string(), value: secret }) }),
      z.custom<Login>((value) => typeof (value as Partial<Login> | null)?.headers === 'function'),
    ],
    {
      error:
        'must be { bearer }, { basic: { user, password } } or { header: { name, value } }, each secret a text or a function, or oauth({...})',
    },
  )
  .optional()

/** The headers of `auth` for one call. Throws `CONFIGURATION_INVALID` for a secret that is not set. */
export function headersOf<S>(
  adapter: string,
  auth: RemoteAuth<S> | undefined,
  ctx: RateContext<S>,
): MaybePromise<LoginHeaders> {
  if (!auth) return lasting({})
  if ('headers' in auth) return auth.headers(ctx)
  const read = (given: Secret<S>, place: string): string => {
    const value = typeof given === 'function' ? given(ctx) : given
    if (value) return value
    throw new PurveyorError('CONFIGURATION_INVALID', `${adapter}: ${place} is not set`, { place })
  }
  if ('bearer' in auth) return lasting({ authorization: `Bearer ${read(auth.bearer, 'auth.bearer')}` })
  if ('header' in auth) return lasting({ [auth.header.name]: read(auth.header.value, 'auth.header.value') })
  const user = read(auth.basic.user, 'auth.basic.user')
  const { password: given } = auth.basic
  const password = typeof given === 'function' ? (given(ctx) ?? '') : given
  return lasting({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` })
}

const lasting = (headers: Record<string, string>): LoginHeaders => ({
  headers,
  refused: async () => undefined,
})
