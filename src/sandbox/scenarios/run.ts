import { isDeepStrictEqual } from 'node:util'
import { wireType } from '../../contract/served.ts'
import { jsonIn } from '../../contract/texts.ts'
import { hasCode } from '../../errors/errors.ts'
import { type CartOptions, type Destination, given } from '../../messages/options.ts'
import { addressIn, type Person, people } from '../../messages/people.ts'
import type { LoggedCall } from '../calls/call-log.ts'
import { type Checkout, keyOf, noPaymentMethod, type PlaceOrder } from '../checkout.ts'
import { durationOf } from '../clock.ts'
import { handlingOf, type OfferedMethod, type Order } from '../orders.ts'
import type { Shop } from '../shop.ts'
import { pressOnPage } from './payment-page.ts'
import {
  type Expectation,
  type MethodPick,
  type OrderStep,
  type Scenario,
  type Step,
  type Visit,
  wordsOf,
} from './scenario.ts'

/** The result of one scenario. */
export interface ScenarioRun {
  name: string
  title: string
  result: 'passed' | 'failed' | 'skipped'
  /** The reason for a skip, or the expectation that failed with the value found. */
  reason: string | undefined
  /** The completed steps, in words. */
  steps: string[]
  orderId: number | undefined
  ms: number
}

/** Options of a run of scenarios. Its customers live in Amsterdam, or in a city of `country`, unless a step is about another place. */
export interface RunOptions extends Partial<Destination>, Pick<CartOptions, 'currency'> {
  /** How long to wait for an expectation, in milliseconds. Default 3,000. */
  patience?: number
  /** The customer's action on the payment page. Default: clicks the button of that name. */
  choose?: (paymentUrl: string, outcome: string) => Promise<unknown>
  /** The ids of methods to choose where they are offered, for shipping or for payment. Default: the first ones. */
  methods?: readonly string[] | undefined
}

/** The provider does not offer what this scenario needs. */
class Skipped extends Error {}
class Failed extends Error {}

const pollEvery = 10
/** Moves of `moveUntil`: 64 days in all. */
const moves = ['3h', '9h', '12h', '1d', '2d', '4d', '8d', '16d', '32d']
/** How long a move waits for its expectation, in milliseconds. */
const afterMove = 250
/** How long calls must have been quiet before time is moved, in milliseconds. */
const quiet = 100

/** Runs a scenario in a shop, and restores its switches. Rejects with `ARGUMENT_INVALID` for an unknown place. */
export async function runScenario(
  shop: Shop,
  scenario: Scenario,
  run: RunOptions = {},
): Promise<ScenarioRun> {
  const { patience = 3_000, choose = pressOnPage, ...options } = run
  addressIn(options)
  const since = performance.now()
  const before = shop.switches.values
  const play = new Play(shop, { patience, choose, ...options })
  const steps: string[] = []
  let result: ScenarioRun['result'] = 'passed'
  let reason: string | undefined
  try {
    const missing = scenario.needs.find((served) => shop.services.active(wireType[served]).length === 0)
    if (missing) throw new Skipped(`No active service is registered for ${missing}`)
    if (!shop.services.all().some(({ isActive }) => isActive))
      throw new Skipped('No active service is registered')
    const estimates = shop.services.active('shipment').some(({ rateEstimate }) => rateEstimate)
    if (comparesEstimate(scenario) && !estimates)
      throw new Skipped('No active service is registered for estimates')
    if (!shop.movesProviders && scenario.steps.some(movesTime))
      throw new Skipped('The clock of this provider cannot be moved: it does not run under the sandbox')
    shop.switches.reset()
    for (const step of scenario.steps) {
      steps.push(wordsOf(step))
      await play.take(step)
    }
  } catch (error) {
    const isSkipped = error instanceof Skipped || hasCode(error, 'PAGE_BUTTON_MISSING')
    result = isSkipped || play.hasNoMethod(error) ? 'skipped' : 'failed'
    reason = (error as Error).message
  } finally {
    shop.switches.set(before)
  }
  const ms = Math.round(performance.now() - since)
  const { name, title } = scenario
  return { name, title, result, reason, steps, orderId: play.orderId, ms }
}

const comparesEstimate = ({ steps }: Scenario) =>
  steps.some((step) => 'estimate' in step) &&
  steps.some((step) => 'expect' in step && step.expect.methods === 'same')

const movesTime = (step: Step) =>
  'move' in step || 'moveUntil' in step || ('switch' in step && step.switch.customer === 'returnsLate')

type PlayOptions = RunOptions & { patience: number; choose: NonNullable<RunOptions['choose']> }

class Play {
  readonly #shop: Shop
  readonly #options: PlayOptions
  readonly #calls: LoggedCall[] = []
  readonly #lists: OfferedMethod[][] = []
  /** Whether the customer pays in a currency of the scenario. */
  #isAbroad = false
  orderId: number | undefined

  constructor(shop: Shop, options: PlayOptions) {
    this.#shop = shop
    this.#options = options
  }

  /** Whether it ends because the provider has no payment method in the currency of the scenario: its answer is valid and empty. */
  hasNoMethod(error: unknown): boolean {
    return this.#isAbroad && (error as Error).message === noPaymentMethod && this.#fault() === 'valid'
  }

  async take(step: Step): Promise<void> {
    const stop = this.#shop.log.follow((call) => this.#calls.push(call))
    try {
      await this.#take(step)
    } finally {
      stop()
    }
  }

  async #take(step: Step): Promise<void> {
    const shop = this.#shop
    if ('switch' in step) return shop.switches.set(step.switch)
    if ('estimate' in step) {
      const { address, language, ...cart } = visitOf(step.estimate, this.#options)
      const { zipcode, country } = address
      await this.#list(() => shop.estimate({ zipcode, country }, language, cart))
    } else if ('checkout' in step) {
      const checkout = shop.checkout(visitOf(step.checkout, this.#options))
      await this.#list(async () => {
        const [shipment, payment] = await Promise.all([checkout.shipmentMethods(), checkout.paymentMethods()])
        return shop.services.active('shipment').length > 0 ? shipment : payment
      })
    } else if ('order' in step) await this.#placeOrder(step.order)
    else if ('choose' in step) {
      const url = step.of === 'first' ? this.#paymentUrls().find(Boolean) : this.#page()
      if (typeof url !== 'string') throw new Skipped('The payment has no page to pay on')
      await this.#press(url, step.choose, step.tabs).catch((error: unknown) => {
        // The page of a payment that was replaced may be over: there is nothing left to pay on it.
        if (step.of !== 'first' || !hasCode(error, 'PAGE_BUTTON_MISSING')) throw error
      })
    } else if ('pay' in step) {
      const url = this.#page()
      if (url === null) return this.#staysOpen()
      await this.#press(url, step.pay)
      await shop.returnToShop(this.#order().id)
      await this.#mustHold({ order: step.pay, provider: step.pay })
    } else if ('customer' in step) await shop.returnToShop(this.#order().id)
    else if ('payAgain' in step) {
      const before = this.#order()
      const { shipment, lines, currency } = step.payAgain
      const shipmentMethod = await this.#pick(shipment, before.shipmentMethod?.id)
      const other = currency && (before.currency === 'usd' ? 'eur' : 'usd')
      this.#isAbroad ||= currency !== undefined
      await shop.payAgain(before.id, given({ shipmentMethod, lines, currency: other }))
    } else if ('repeatStart' in step) {
      for (let times = 0; times < step.repeatStart; times++) await shop.repeatStart(this.#order().id)
    } else if ('askFor' in step) await shop.askForUnknown(this.#order())
    else if ('move' in step) await this.#move(step.move)
    else if ('moveUntil' in step) await this.#moveUntil(step.moveUntil)
    else if ('onlyIf' in step) {
      if (!(await this.#holds(step.onlyIf))) throw new Skipped(step.otherwise)
    } else await this.#mustHold(step.expect)
  }

  /** The customer presses a button of a payment page. */
  async #press(url: string, outcome: string, tabs = 1): Promise<void> {
    const { id } = this.#order()
    const starts = this.#callsOf('payment').filter(({ unanswered }) => unanswered !== 'not sent')
    const start = starts.findLastIndex(({ answer }) => urlIn(answer) === url)
    const press = () => Promise.all(Array.from({ length: tabs }, () => this.#options.choose(url, outcome)))
    // A payment in the shop itself has no start, and is no step at a provider.
    if (starts.length === 0) await press()
    else await this.#shop.steps.take({ step: 'customer', orderId: id, choose: outcome, start, tabs }, press)
  }

  /** Asks for a list. One whose answer was lost is none. */
  async #list(ask: () => Promise<OfferedMethod[]>): Promise<void> {
    const before = this.#calls.length
    const list = await ask()
    if (this.#calls.slice(before).every(({ status }) => status !== undefined)) this.#lists.push(list)
  }

  /** The page to pay on, or `null` for a payment without one. */
  #page(): string | null {
    const { paymentUrl } = this.#order()
    if (paymentUrl !== undefined) return paymentUrl
    const { status = 'no answer' } = this.#callsOf('payment').at(-1) ?? {}
    throw new Failed(`The payment was not started (${status})`)
  }

  async #staysOpen(): Promise<void> {
    const status = await this.#shop.askStatus(this.#order().id)
    if (status !== 'pending' && status !== 'paid')
      throw new Failed(`The status at the provider is ${status ?? 'nothing'}, not pending or paid`)
  }

  async #moveUntil(expected: Expectation): Promise<void> {
    for (const by of moves) {
      await this.#move(by)
      if (await this.#holds(expected)) return
    }
    if ((await this.#shop.askStatus(this.#order().id)) === 'pending')
      throw new Skipped('The provider keeps an unpaid payment open for 64 days')
    await this.#mustHold(expected)
  }

  /** Whether an expectation holds within a quarter of a second. */
  async #holds(expected: Expectation): Promise<boolean> {
    return (await this.#unmet(expected, Math.min(this.#options.patience, afterMove))) === undefined
  }

  /** Time passes once no call is open: it would cut the call off. */
  async #move(by: string): Promise<void> {
    const { log, clock } = this.#shop
    let last = performance.now()
    const stop = log.follow(() => {
      last = performance.now()
    })
    while (performance.now() - last < quiet) await new Promise((resolve) => setTimeout(resolve, pollEvery))
    stop()
    await this.#shop.advance(durationOf(by, clock.now()) ?? Number.NaN)
  }

  async #placeOrder({ shipment, ownPayment = false, ...visit }: OrderStep): Promise<void> {
    const shipmentMethod = await this.#pick(shipment)
    const checkout = this.#shop.checkout({ ...visitOf(visit, this.#options), ownPayment })
    this.#isAbroad ||= visit.currency !== undefined
    const named = await this.#chosen(checkout, ownPayment)
    const chosen = { ...named, ...given({ shipmentMethod }) }
    this.orderId = (await checkout.placeOrder(chosen)).id
  }

  /** The id of a shipping method of that kind. */
  async #pick(pick: MethodPick | undefined, chosen?: string): Promise<string | undefined> {
    if (pick === undefined) return undefined
    const methods = await this.#shop.checkout(visitOf({}, this.#options)).shipmentMethods()
    const found = methods.find((one) => {
      if (pick === 'servicepoint') return one.is_servicepoint
      if (pick === 'pickup') return one.is_pickup
      if (pick === 'cash on delivery') return one.is_cash_on_delivery
      return (
        pick === 'first' || (one.id !== chosen && one.price_incl !== this.#order().shipmentMethod?.price_incl)
      )
    })
    const fault = this.#fault()
    if (!found && fault !== 'valid') throw new Failed(`The answer is ${fault}`)
    if (!found) throw new Skipped(`The provider has no ${pick === 'other' ? 'second' : pick} shipment method`)
    return found.id
  }

  #order(): Order {
    const order = this.orderId === undefined ? undefined : this.#shop.order(this.orderId)
    if (!order) throw new Failed('No order was placed')
    return order
  }

  /** The addresses in answers to the starts of this payment, oldest first; empty without one. Lost answers are left out. */
  #paymentUrls(): string[] {
    return this.#callsOf('payment').flatMap(({ answer, status }) => {
      if (status === undefined) return []
      const url = urlIn(answer)
      return [typeof url === 'string' ? url : '']
    })
  }

  #callsOf(path: string): LoggedCall[] {
    return this.#shop.log.calls.filter((call) => call.path === path && call.orderId === this.orderId)
  }

  async #mustHold(expected: Expectation): Promise<void> {
    const unmet = await this.#unmet(expected, this.#options.patience)
    if (unmet !== undefined) throw new Failed(unmet)
  }

  /** The first part that does not hold, with the value found. */
  async #unmet(expected: Expectation, patience: number): Promise<string | undefined> {
    const until = performance.now() + patience
    for (const [name, value] of Object.entries(expected)) {
      const [subject, see] = this.#subjects[name as keyof Expectation]
      for (;;) {
        const seen = await see()
        if (isDeepStrictEqual(seen, value)) break
        if (performance.now() > until) return `${subject} is ${seen ?? 'nothing'}, not ${value}`
        await new Promise((resolve) => setTimeout(resolve, pollEvery))
      }
    }
  }

  readonly #subjects: Record<keyof Expectation, [subject: string, see: () => unknown]> = {
    order: ['The order', () => this.#order().status],
    provider: ['The status at the provider', () => this.#shop.askStatus(this.#order().id)],
    webhooks: ['The number of webhook calls', () => this.#webhooks().length],
    webhooksWaiting: ['The number of webhook calls without an answer', () => this.#shop.webhooksWaiting],
    paymentUrls: [
      'The address in answers to the starts',
      () => (new Set(this.#paymentUrls()).size === 1 ? 'same' : 'different'),
    ],
    methods: ['The lists of methods', () => this.#agreement()],
    lists: ['The lists of methods', () => (new Set(this.#listTexts()).size <= 1 ? 'same' : 'different')],
    answers: ['The answer', () => this.#fault()],
    methodCalls: ['The number of calls for each kind of methods', () => this.#methodCalls()],
    lastStatus: ['The HTTP status', () => this.#calls.at(-1)?.status],
    handling: ['The order', () => handlingOf(this.#order()).status],
    result: ['The shipment', () => handlingOf(this.#order()).result],
    invoice: ['The invoice', () => handlingOf(this.#order()).invoice],
  }

  #webhooks(): LoggedCall[] {
    const { calls } = this.#shop.log
    return calls.filter((one) => one.direction === 'provider to shop' && one.orderId === this.orderId)
  }

  #agreement(): 'none' | NonNullable<Expectation['methods']> {
    const lists = this.#listTexts()
    if (lists.some((list) => list === '')) return 'none'
    return lists.length > 1 && new Set(lists).size === 1 ? 'same' : 'some'
  }

  #listTexts(): string[] {
    return this.#lists.map((list) => list.map(({ id, price_incl }) => `${id} ${price_incl}`).join())
  }

  #methodCalls(): number {
    const paths = this.#calls.map(({ path }) => path).filter((path) => path.endsWith('_methods'))
    return Math.max(0, ...paths.map((path) => paths.filter((one) => one === path).length))
  }

  /** `valid`, or the first fault of the answers with methods. */
  #fault(): string {
    const calls = this.#calls.filter(({ path }) => path.endsWith('_methods'))
    const fault = calls.flatMap(({ faults }) => faults)[0]
    if (fault) return `wrong at ${fault.path} (${fault.message})`
    const doubled = this.#lists.some((list) => new Set(list.map(keyOf)).size < list.length)
    return doubled ? 'one with an id that is there twice' : 'valid'
  }

  /** The named methods of a checkout. Throws if it offers methods and none of them is named. */
  async #chosen(checkout: Checkout, ownPayment: boolean): Promise<PlaceOrder> {
    const { methods: named } = this.#options
    if (!named) return {}
    const lists = [await checkout.shipmentMethods(), ownPayment ? [] : await checkout.paymentMethods()]
    const [shipmentMethod, paymentMethod] = lists.map((list) => list.find(({ id }) => named.includes(id))?.id)
    if (shipmentMethod === undefined && paymentMethod === undefined && !ownPayment) {
      const offered = lists.flat().map(({ id }) => id)
      throw new Failed(
        `There is no method ${named.join(' or ')} in this checkout, only ${offered.join(', ')}`,
      )
    }
    return given({ shipmentMethod, paymentMethod })
  }
}

/** The payment page in the answer to a start. */
const urlIn = (answer: string): unknown => ((jsonIn(answer) ?? {}) as { payment_url?: unknown }).payment_url

/** The options of a checkout that a step stands for. */
function visitOf({ lines, customer = 'nl', language = 'en', currency, ...address }: Visit, by: RunOptions) {
  const { title: _, ...person }: Person = people[customer]
  const own = { ...person.address, ...(customer === 'nl' && addressIn(by)), ...address }
  const cart = given({ lines, currency: currency ?? by.currency })
  return { ...cart, ...person, language, address: { ...own, country: own.country.toLowerCase() } }
}
