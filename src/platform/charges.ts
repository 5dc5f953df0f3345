import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { anyOption, checkOptions, each, optionGroup } from '../checked-options.ts'
import type { AppSubscription, ChargeType } from '../contract/index.ts'
import { callbackCodes } from '../errors/codes.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { type CallbackRules, verifyCallback } from './callbacks.ts'
import type { PlatformClient } from './client.ts'
import { PlatformError } from './errors.ts'
import type { ResourceId } from './resource.ts'

/** How long an unapproved charge may be approved, in milliseconds (spec 3.2). */
const expiresAfter = 72 * 3_600_000

/**
 * The state of a charge: `waiting` for the approval of the merchant, `active`, `declined`, `expired`, `removed`, or `unknown` for any
 * other word of the platform. Only `active` is paid for.
 */
export type ChargeState = 'waiting' | 'active' | 'declined' | 'expired' | 'removed' | 'unknown'

/** A charge of a merchant with its present state. */
export interface Charge {
  id: string
  state: ChargeState
  /** Not set once it is removed. */
  type: ChargeType | undefined
  title: string | undefined
  /** Decimal text. */
  price: string | undefined
  /** The address where the merchant approves it, while it waits. */
  approvalUrl: string | undefined
}

/** Options of `createCharges`. */
export interface ChargesOptions {
  /** The client of one shop, or a function that finds it by the platform's shop id. */
  client: PlatformClient | ((shopId: string) => PlatformClient | Promise<PlatformClient>)
  /** The address of `route`, to which the platform sends the merchant afterwards. */
  callbackUrl: string
  /** The verification of callbacks. */
  callbacks: Omit<CallbackRules, 'kind'>
}

type Known<Options> = Record<keyof Options, z.ZodType>
const rules = each(anyOption, 'verifier', 'tolerance', 'clusters', 'onceStore', 'now')
const chargesOptions = optionGroup({
  ...each(anyOption, 'client', 'callbackUrl'),
  callbacks: optionGroup(rules satisfies Known<ChargesOptions['callbacks']>),
} satisfies Known<ChargesOptions>)

/** A charge to create. */
export interface NewCharge {
  type: ChargeType
  title: string
  /** In the currency of the platform's charges: decimal text or a number. */
  price: string | number
  /** The id of the charge to upgrade from, which stays active until this one is approved. Default: none. */
  upgradeFrom?: ResourceId
}

/** Charges of the merchants who use an app (spec 2.3, 3.2). */
export interface Charges {
  /** Creates a charge. Send the merchant to its `approvalUrl`. */
  create(charge: NewCharge, shopId?: string): Promise<Charge>
  /** The charge as the platform has it now. `shopId` is the platform's id of the shop, by default that of the only client. */
  read(id: ResourceId, shopId?: string): Promise<Charge>
  /** Every charge of the shop that is active. */
  active(shopId?: string): Promise<Charge[]>
  /** Withdraws a charge that was not approved yet. */
  remove(id: ResourceId, shopId?: string): Promise<void>
  /** Verifies the query of a callback and reads the charge again: only its id is used from the query. */
  callback(query: string): Promise<{ charge: Charge; shopId: string }>
  /**
   * A handler for GET of `callbackUrl`, for Express or a plain Node server: verifies, reads the charge, calls `onCharge` and redirects the
   * merchant to `returnTo`.
   */
  route(options: {
    returnTo: string | ((charge: Charge) => string)
    /** Called with the charge, before the merchant is redirected. Default: nothing. */
    onCharge?: (charge: Charge, shopId: string) => unknown
    /** Called with an error that stopped a callback, except a refusal. Default: printed on standard error. */
    onError?: (error: unknown) => void
  }): (req: IncomingMessage, res: ServerResponse) => void
}

/** Creates the charges of an app. Throws `ARGUMENT_INVALID` without a verifier, and for an option that there is not. */
export function createCharges(options: ChargesOptions): Charges {
  if (typeof options?.callbacks?.verifier !== 'function')
    throw wrongCall('createCharges() needs callbacks.verifier, such as md5SortedPairs(secret)')
  checkOptions('createCharges()', chargesOptions, options)
  const { client, callbackUrl, callbacks } = options
  const { now = Date.now } = callbacks
  const clientOf = async (shopId = '') => (typeof client === 'function' ? client(shopId) : client)

  const chargeOf = (subscription: AppSubscription): Charge => {
    const state = stateOf(subscription, now())
    const { id, type, title, price, approvalUrl: url } = subscription
    const approvalUrl = state === 'waiting' && typeof url === 'string' ? url : undefined
    return { id: String(id), state, type, title, price: String(price), approvalUrl }
  }
  async function read(id: ResourceId, shopId?: string): Promise<Charge> {
    try {
      return chargeOf(await (await clientOf(shopId)).appSubscriptions.get(id))
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== 'PLATFORM_NOT_FOUND') throw error
      const nothing = { type: undefined, title: undefined, price: undefined, approvalUrl: undefined }
      return { id: String(id), state: 'removed', ...nothing }
    }
  }

  async function callback(query: string) {
    const { shopId, appSubscriptionId } = await verifyCallback(query, { ...callbacks, kind: 'charge' })
    return { charge: await read(appSubscriptionId!, shopId), shopId }
  }

  return {
    async create({ upgradeFrom, ...charge }, shopId) {
      const { appSubscriptions } = await clientOf(shopId)
      const wanted = { ...charge, callbackUrl, appSubscriptionId: upgradeFrom }
      return chargeOf(await appSubscriptions.create(wanted))
    },
    read,
    async active(shopId) {
      const { appSubscriptions } = await clientOf(shopId)
      const charges = await Array.fromAsync(appSubscriptions.list(), chargeOf)
      return charges.filter(({ state }) => state === 'active')
    },
    async remove(id, shopId) {
      await (await clientOf(shopId)).appSubscriptions.remove(id)
    },
    callback,
    route: (options) => callbackRoute(callback, options),
  }
}

function callbackRoute(
  callback: Charges['callback'],
  { returnTo, onCharge, onError = console.error }: Parameters<Charges['route']>[0],
): ReturnType<Charges['route']> {
  return (req, res) => {
    const [, query = ''] = (req.url ?? '').split('?', 2)
    callback(query)
      .then(async ({ charge, shopId }) => {
        await onCharge?.(charge, shopId)
        const location = typeof returnTo === 'function' ? returnTo(charge) : returnTo
        res.writeHead(303, { location, 'cache-control': 'no-store' }).end()
      })
      .catch((error: unknown) => {
        const isRefusal = error instanceof PurveyorError && Object.hasOwn(callbackCodes, error.code)
        answerError(res, error, isRefusal)
        if (!isRefusal) onError(error)
      })
  }
}

/** The spec only names `active`; other words are recognised by their first letters. */
function stateOf({ status = '', approvalUrl, createdAt }: AppSubscription, now: number): ChargeState {
  const word = status.toLowerCase()
  if (word === 'active') return 'active'
  if (/^(declin|cancel|reject|refus)/.test(word)) return 'declined'
  if (/^expire/.test(word)) return 'expired'
  const waits = typeof approvalUrl === 'string' || /^(pending|wait|await|new|requested)/.test(word)
  if (!waits) return 'unknown'
  const created = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  return now - created > expiresAfter ? 'expired' : 'waiting'
}

function answerError(res: ServerResponse, error: unknown, refused: boolean): void {
  const code = error instanceof PurveyorError ? error.code : 'INTERNAL'
  const title = refused
    ? 'This link is not valid, or no longer valid. Open the charge again from your shop.'
    : 'The charge cannot be read right now. Reload this page in a moment.'
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  res.writeHead(refused ? 400 : 503, { ...headers, ...(!refused && { 'retry-after': '5' }) })
  res.end(`${title} (${code})\n`)
}
