import { randomBytes } from 'node:crypto'

/** An error as the API writes it: a card that was declined is 402, a wrong call 400 or 404. */
export interface ApiError {
  type: 'card_error' | 'invalid_request_error' | 'authentication_error'
  code: string
  decline_code?: string
  param?: string
  message: string
  payment_intent?: Intent
}

/** One payment at the acquirer, with the states of its documentation. It is charged once at most. */
export interface Intent {
  id: string
  object: 'payment_intent'
  livemode: false
  /** In the smallest unit. */
  amount: number
  amount_received: number
  amount_refunded: number
  currency: string
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  next_action: { type: 'redirect_to_url' | 'challenge_frame'; url: string } | null
  last_payment_error: ApiError | null
  cancellation_reason: 'requested_by_customer' | 'expired' | null
}

export interface Charge {
  id: string
  intent: string
  /** In the smallest unit. */
  amount: number
  currency: string
}

/** How a bank takes the customer back: with a redirect, with a form that its page posts, or with a message out of a frame. */
export type WayBack = 'get' | 'post' | 'frame'
interface Behaviour {
  decline?: string
  challenge?: WayBack
  /** It charges, and the answer is lost on its way. */
  loses?: true
}

/** The numbers to test with. Any other one is paid without a challenge. */
const cards: Readonly<Record<string, Behaviour>> = {
  '4000000000009995': { decline: 'insufficient_funds' },
  '4000000000003220': { challenge: 'get' },
  '4000000000003063': { challenge: 'post' },
  '4000002760003184': { challenge: 'frame' },
  '4000000000000119': { loses: true },
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

export class Declined extends Error {
  readonly status: number
  readonly error: ApiError

  constructor(status: number, error: ApiError) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

const invalid = (status: number, code: string, message: string, more: Partial<ApiError> = {}) =>
  new Declined(status, { type: 'invalid_request_error', code, message, ...more })

/** The memory of the acquirer: the payments and cards of each account, and the ledger of the money it took. */
export class Intents {
  readonly charges: Charge[] = []
  /** While it is, the API answers 503. */
  isAway = false
  readonly #bankUrl: string
  readonly #intents = new Map<
    string,
    { account: string; intent: Intent; returnUrl: string; back?: WayBack }
  >()
  readonly #cards = new Map<string, { account: string; number: string }>()

  constructor(bankUrl: string) {
    this.#bankUrl = bankUrl
  }

  get all(): Intent[] {
    return [...this.#intents.values()].map(({ intent }) => intent)
  }

  create(account: string, { amount, currency }: { amount: number; currency: string }): Intent {
    const intent: Intent = {
      ...{ id: newId('pi'), object: 'payment_intent', livemode: false, amount, currency },
      ...{ amount_received: 0, amount_refunded: 0, status: 'requires_payment_method' },
      ...{ next_action: null, last_payment_error: null, cancellation_reason: null },
    }
    this.#intents.set(intent.id, { account, intent, returnUrl: '' })
    return intent
  }

  of(account: string, id: string): Intent {
    const found = this.#intents.get(id)
    if (found?.account !== account) throw invalid(404, 'resource_missing', 'No such payment_intent')
    return found.intent
  }

  /** Keeps a card, and returns the token that stands for it. */
  keepCard(account: string, number: string): string {
    const token = newId('pm')
    this.#cards.set(token, { account, number })
    return token
  }

  /** Charges the card, or asks for a challenge first. `true` where the answer is lost. */
  confirm(account: string, id: string, token: string, returnUrl: string): boolean {
    const intent = this.of(account, id)
    const card = this.#cards.get(token)
    if (card?.account !== account)
      throw invalid(404, 'resource_missing', 'No such payment_method', { param: 'payment_method' })
    if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action')
      throw invalid(400, 'payment_intent_unexpected_state', 'Its status forbids this', {
        payment_intent: intent,
      })
    const { decline, challenge, loses = false } = cards[card.number] ?? {}
    Object.assign(intent, { status: 'requires_payment_method', next_action: null, last_payment_error: null })
    if (decline) throw new Declined(402, this.#fail(intent, 'card_declined', decline))
    if (challenge) {
      Object.assign(this.#intents.get(id)!, { returnUrl, back: challenge })
      const type = challenge === 'frame' ? 'challenge_frame' : 'redirect_to_url'
      const url = `${this.#bankUrl}/challenge/${id}`
      Object.assign(intent, { status: 'requires_action', next_action: { type, url } })
    } else this.#charge(intent)
    return loses
  }

  /** The challenge of a payment, for its bank; `undefined` if there is none. */
  challenge(id: string): { intent: Intent; returnUrl: string; back: WayBack } | undefined {
    const found = this.#intents.get(id)
    return found?.back && { intent: found.intent, returnUrl: found.returnUrl, back: found.back }
  }

  /** The bank says whether the customer confirmed. Only then the card is charged. */
  authenticated(id: string, confirmed: boolean): void {
    const intent = this.#intents.get(id)!.intent
    if (intent.status !== 'requires_action') return
    Object.assign(intent, { status: 'requires_payment_method', next_action: null })
    if (confirmed) this.#charge(intent)
    else this.#fail(intent, 'payment_intent_authentication_failure')
  }

  cancel(account: string, id: string, reason: Intent['cancellation_reason']): Intent {
    const intent = this.of(account, id)
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid(400, 'payment_intent_unexpected_state', 'Its status forbids this', {
        payment_intent: intent,
      })
    return Object.assign(intent, { status: 'canceled', cancellation_reason: reason, next_action: null })
  }

  refund(account: string, id: string, amount: number): { id: string; object: 'refund'; amount: number } {
    const intent = this.of(account, id)
    if (amount > intent.amount_received - intent.amount_refunded)
      throw invalid(400, 'charge_already_refunded', 'More than was received')
    intent.amount_refunded += amount
    return { id: newId('re'), object: 'refund', amount }
  }

  #charge(intent: Intent): void {
    const { id, amount, currency } = intent
    this.charges.push({ id: newId('ch'), intent: id, amount, currency })
    Object.assign(intent, { status: 'succeeded', amount_received: amount, last_payment_error: null })
  }

  #fail(intent: Intent, code: string, decline?: string): ApiError {
    const message = 'The card was declined'
    const error: ApiError = { type: 'card_error', code, ...(decline && { decline_code: decline }), message }
    intent.last_payment_error = error
    return error
  }
}
