import { hasCode } from '../../errors/errors.ts'
import { given } from '../../messages/options.ts'
import { addressIn, type Person, people } from '../../messages/people.ts'
import { atOnce } from '../calls/provider-calls.ts'
import { type Checkout, noPaymentMethod, type PlaceOrder } from '../checkout.ts'
import type { OfferedMethod } from '../orders.ts'
import type { Shop } from '../shop.ts'
import { pressOnPage } from './payment-page.ts'
import {
  checkSteps,
  type Expectation,
  type MethodPick,
  type OrderStep,
  type RunOptions,
  type Scenario,
  type ScenarioRun,
  type Step,
  type Visit,
  whyNotPlayed,
  wordsOf,
} from './scenario.ts'
import { Failed, pollEvery, Seen, urlIn } from './seen.ts'

class Skipped extends Error {}

/** Moves of `moveUntil`: 64 days in all. */
const moves = ['3h', '9h', '12h', '1d', '2d', '4d', '8d', '16d', '32d']
/** How long a move waits for its expectation, in milliseconds. */
const afterMove = 250
/** How long calls must have been quiet before time is moved, in milliseconds. */
const quiet = 100

/** Runs a scenario in a shop, and restores its switches. Rejects with `ARGUMENT_INVALID` for an unknown place and for a step that there is not. */
export async function runScenario(shop: Shop, scenario: Scenario, by: RunOptions = {}): Promise<ScenarioRun> {
  const { patience = 3_000, choose = pressOnPage, ...options } = by
  addressIn(options)
  checkSteps(scenario)
  const since = performance.now()
  const before = shop.switches.values
  const play = new Play(shop, { patience, choose, ...options })
  const stop = shop.log.follow((call) => play.calls.push(call))
  const steps: string[] = []
  let result: ScenarioRun['result'] = 'passed'
  let reason: string | undefined
  try {
    const lacking = whyNotPlayed(scenario, shop)
    if (lacking !== undefined) throw new Skipped(lacking)
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
    stop()
    shop.switches.set(before)
  }
  const ms = Math.round(performance.now() - since)
  const { name, title } = scenario
  return { name, title, result, reason, steps, orderId: play.orderId, ms }
}

type PlayOptions = RunOptions & { patience: number; choose: NonNullable<RunOptions['choose']> }

class Play extends Seen {
  readonly #options: PlayOptions
  /** Whether the customer pays in a currency of the scenario. */
  #isAbroad = false

  constructor(shop: Shop, options: PlayOptions) {
    super(shop)
    this.#options = options
  }

  /** Whether it ends because the provider has no payment method in the currency of the scenario: its answer is valid and empty. */
  hasNoMethod(error: unknown): boolean {
    return this.#isAbroad && (error as Error).message === noPaymentMethod && this.fault() === 'valid'
  }

  async take(step: Step): Promise<void> {
    const { shop } = this
    if ('switch' in step) return shop.switches.set(step.switch)
    if ('estimate' in step) {
      const { address, language, lines, currency } = visitOf(step.estimate, this.#options)
      const { zipcode, country } = address
      await this.#list(() => shop.estimate({ zipcode, country }, language, given({ lines, currency })))
    } else if ('checkout' in step) {
      const checkout = shop.checkout(visitOf(step.checkout, this.#options))
      await this.#list(async () => {
        const [shipment, payment] = await Promise.all([checkout.shipmentMethods(), checkout.paymentMethods()])
        return shop.services.active('shipment').length > 0 ? shipment : payment
      })
    } else if ('order' in step) await this.#placeOrder(step.order)
    else if ('choose' in step) {
      const url = step.of === 'first' ? this.paymentUrls().find(Boolean) : this.#page()
      if (typeof url !== 'string') throw new Skipped('The payment has no page to pay on')
      await this.#press(url, step.choose, step.tabs).catch((error: unknown) => {
        // The page of a payment that was replaced may be over: there is nothing left to pay on it.
        if (step.of !== 'first' || !hasCode(error, 'PAGE_BUTTON_MISSING')) throw error
      })
    } else if ('pay' in step) {
      const url = this.#page()
      if (url === null) return this.#staysOpen()
      await this.#press(url, step.pay)
      await shop.returnToShop(this.order().id)
      await this.#mustHold({ order: step.pay, provider: step.pay })
    } else if ('customer' in step) await shop.returnToShop(this.order().id)
    else if ('payAgain' in step) {
      const before = this.order()
      const { shipment, lines, currency } = step.payAgain
      const shipmentMethod = await this.#pick(shipment, before.shipmentMethod?.id)
      const other = currency && (before.currency === 'usd' ? 'eur' : 'usd')
      this.#isAbroad ||= currency !== undefined
      await shop.payAgain(before.id, given({ shipmentMethod, lines, currency: other }))
    } else if ('repeatStart' in step) {
      for (let times = 0; times < step.repeatStart; times++) await shop.repeatStart(this.order().id)
    } else if ('askFor' in step) await shop.askForUnknown(this.order())
    else if ('move' in step) await this.#move(step.move)
    else if ('moveUntil' in step) await this.#moveUntil(step.moveUntil)
    else if ('onlyIf' in step) {
      if (!(await this.#holds(step.onlyIf))) throw new Skipped(step.otherwise)
    } else await this.#mustHold(step.expect)
  }

  async #press(url: string, outcome: string, tabs = 1): Promise<void> {
    const { id } = this.order()
    const starts = this.callsOf('payment').filter(({ unanswered }) => unanswered !== 'not sent')
    const start = starts.findLastIndex(({ answer }) => urlIn(answer) === url)
    const press = () => atOnce(tabs, () => this.#options.choose(url, outcome))
    // A payment in the shop itself has no start, and is no step at a provider.
    if (starts.length === 0) await press()
    else await this.shop.log.take({ step: 'customer', orderId: id, choose: outcome, start, tabs }, press)
  }

  /** Asks for a list. One whose answer was lost is none. */
  async #list(ask: () => Promise<OfferedMethod[]>): Promise<void> {
    const before = this.calls.length
    const list = await ask()
    if (this.calls.slice(before).every(({ status }) => status !== undefined)) this.lists.push(list)
  }

  #page(): string | null {
    const { paymentUrl } = this.order()
    if (paymentUrl !== undefined) return paymentUrl
    const { status = 'no answer' } = this.callsOf('payment').at(-1) ?? {}
    throw new Failed(`The payment was not started (${status})`)
  }

  async #staysOpen(): Promise<void> {
    const status = await this.shop.askStatus(this.order().id)
    if (status !== 'pending' && status !== 'paid')
      throw new Failed(`The status at the provider is ${status ?? 'nothing'}, not pending or paid`)
  }

  async #moveUntil(expected: Expectation): Promise<void> {
    for (const by of moves) {
      await this.#move(by)
      if (await this.#holds(expected)) return
    }
    if ((await this.shop.askStatus(this.order().id)) === 'pending')
      throw new Skipped('The provider keeps an unpaid payment open for 64 days')
    await this.#mustHold(expected)
  }

  /** Whether an expectation holds within a quarter of a second. */
  async #holds(expected: Expectation): Promise<boolean> {
    return (await this.unmet(expected, Math.min(this.#options.patience, afterMove))) === undefined
  }

  /** Time passes once no call is open: it would cut the call off. */
  async #move(by: string): Promise<void> {
    const { log } = this.shop
    let last = performance.now()
    const stop = log.follow(() => {
      last = performance.now()
    })
    while (performance.now() - last < quiet) await new Promise((resolve) => setTimeout(resolve, pollEvery))
    stop()
    await this.shop.advance(by)
  }

  async #placeOrder({ shipment, ownPayment = false, ...visit }: OrderStep): Promise<void> {
    const shipmentMethod = await this.#pick(shipment)
    const checkout = this.shop.checkout({ ...visitOf(visit, this.#options), ownPayment })
    this.#isAbroad ||= visit.currency !== undefined
    const named = await this.#chosen(checkout, ownPayment)
    const chosen = { ...named, ...given({ shipmentMethod }) }
    this.orderId = (await checkout.placeOrder(chosen)).id
  }

  async #pick(pick: MethodPick | undefined, chosen?: string): Promise<string | undefined> {
    if (pick === undefined) return undefined
    const methods = await this.shop.checkout(visitOf({}, this.#options)).shipmentMethods()
    const found = methods.find((one) => {
      if (pick === 'servicepoint') return one.is_servicepoint
      if (pick === 'pickup') return one.is_pickup
      if (pick === 'cash on delivery') return one.is_cash_on_delivery
      return (
        pick === 'first' || (one.id !== chosen && one.price_incl !== this.order().shipmentMethod?.price_incl)
      )
    })
    const fault = this.fault()
    if (!found && fault !== 'valid') throw new Failed(`The answer is ${fault}`)
    if (!found) throw new Skipped(`The provider has no ${pick === 'other' ? 'second' : pick} shipment method`)
    return found.id
  }

  async #mustHold(expected: Expectation): Promise<void> {
    const unmet = await this.unmet(expected, this.#options.patience)
    if (unmet !== undefined) throw new Failed(unmet)
  }

  /** The named methods of a checkout. Throws if it offers methods and none of them is named. */
  async #chosen(checkout: Checkout, ownPayment: boolean): Promise<PlaceOrder> {
    const { methods: named } = this.#options
    if (!named) return {}
    const lists = [await checkout.shipmentMethods(), ownPayment ? [] : await checkout.paymentMethods()]
    const [shipmentMethod, paymentMethod] = lists.map((list) => list.find(({ id }) => named.includes(id))?.id)
    if (shipmentMethod === undefined && paymentMethod === undefined && !ownPayment) {
      const offered = lists.flat().map(({ id }) => id)
      const wanted = named.join(' or ')
      throw new Failed(`There is no method ${wanted} in this checkout, only ${offered.join(', ')}`)
    }
    return given({ shipmentMethod, paymentMethod })
  }
}

function visitOf({ lines, customer = 'nl', language = 'en', currency, ...address }: Visit, by: RunOptions) {
  const { title: _, ...person }: Person = people[customer]
  const own = { ...person.address, ...(customer === 'nl' && addressIn(by)), ...address }
  const cart = given({ lines, currency: currency ?? by.currency })
  return { ...cart, ...person, language, address: { ...own, country: own.country.toLowerCase() } }
}
