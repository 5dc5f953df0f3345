import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '../../contract/json.ts'
import { hasCode } from '../../errors.ts'
import type { LoggedCall } from '../call-log.ts'
import { durationOf } from '../clock.ts'
import { handlingOf, type OfferedMethod, type Order } from '../orders.ts'
import { seededAddress } from '../people.ts'
import type { Shop } from '../shop.ts'
import { pressOnPage } from './payment-page.ts'
import { type Expectation, type OrderStep, type Pick, type Scenario, type Step, wordsOf } from './scenario.ts'

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

/** Options of a run of scenarios. */
export interface RunOptions {
  /** How long to wait for an expectation, in milliseconds. Default 3,000. */
  patience?: number
  /** The customer's action on the payment page. Default: clicks the button of that name. */
  choose?: (paymentUrl: string, outcome: string) => Promise<unknown>
}

/** The provider does not offer what this scenario needs. */
class Skipped extends Error {}
class Failed extends Error {}

const pollEvery = 10
/** How long calls must have been quiet before time is moved, in milliseconds. */
const quiet = 100

/** Runs a scenario in a shop, and restores its switches. Never rejects. */
export async function runScenario(
  shop: Shop,
  scenario: Scenario,
  { patience = 3_000, choose = pressOnPage }: RunOptions = {},
): Promise<ScenarioRun> {
  const since = performance.now()
  const before = shop.switches.values
  const play = new Play(shop, patience, choose)
  const steps: string[] = []
  let result: ScenarioRun['result'] = 'passed'
  let reason: string | undefined
  try {
    const missing = scenario.needs.find((type) => shop.services.active(type).length === 0)
    if (missing) throw new Skipped(`No active service is registered for ${missing}`)
    if (!shop.movesProviders && scenario.steps.some(movesTime)) {
      throw new Skipped('The clock of this provider cannot be moved: it does not run under the sandbox')
    }
    shop.switches.reset()
    for (const step of scenario.steps) {
      steps.push(wordsOf(step))
      await play.take(step)
    }
  } catch (error) {
    result = error instanceof Skipped || hasCode(error, 'PAGE_BUTTON_MISSING') ? 'skipped' : 'failed'
    reason = (error as Error).message
  } finally {
    shop.switches.set(before)
  }
  const ms = Math.round(performance.now() - since)
  const { name, title } = scenario
  return { name, title, result, reason, steps, orderId: play.orderId, ms }
}

const movesTime = (step: Step) =>
  'move' in step || ('switch' in step && step.switch.customer === 'returnsLate')

class Play {
  readonly #shop: Shop
  readonly #patience: number
  readonly #choose: NonNullable<RunOptions['choose']>
  readonly #calls: LoggedCall[] = []
  readonly #lists: OfferedMethod[][] = []
  orderId: number | undefined

  constructor(shop: Shop, patience: number, choose: NonNullable<RunOptions['choose']>) {
    this.#shop = shop
    this.#patience = patience
    this.#choose = choose
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
      const { zipcode, country } = { ...seededAddress, ...step.estimate }
      this.#lists.push(await shop.estimate({ zipcode, country }))
    } else if ('checkout' in step) {
      const checkout = shop.checkout({ address: step.checkout })
      const [shipment] = await Promise.all([checkout.shipmentMethods(), checkout.paymentMethods()])
      this.#lists.push(shipment)
    } else if ('order' in step) await this.#placeOrder(step.order)
    else if ('choose' in step) {
      const url = step.of === 'first' ? this.#paymentUrls()[0] : this.#order().paymentUrl
      if (typeof url !== 'string') throw new Skipped('The payment was not started with a page to pay on')
      const tabs = Array.from({ length: step.tabs ?? 1 }, () => this.#choose(url, step.choose))
      await Promise.all(tabs).catch((error: unknown) => {
        // The page of a payment that was replaced may be over: there is nothing left to pay on it.
        if (step.of !== 'first' || !hasCode(error, 'PAGE_BUTTON_MISSING')) throw error
      })
    } else if ('customer' in step) await shop.returnToShop(this.#order().id)
    else if ('payAgain' in step) {
      const { shipmentMethod } = this.#order()
      const shipment = await this.#pick(step.payAgain.shipment, shipmentMethod?.id)
      await shop.payAgain(this.#order().id, shipment === undefined ? {} : { shipmentMethod: shipment })
    } else if ('repeatStart' in step) {
      for (let times = 0; times < step.repeatStart; times++) await shop.repeatStart(this.#order().id)
    } else if ('askFor' in step) await shop.askForUnknown(this.#order())
    else if ('move' in step) await this.#move(step.move)
    else await this.#mustHold(step.expect)
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

  async #placeOrder({ shipment, language = 'en' }: OrderStep): Promise<void> {
    const shipmentMethod = await this.#pick(shipment)
    const checkout = this.#shop.checkout({ language })
    const chosen = shipmentMethod === undefined ? {} : { shipmentMethod }
    this.orderId = (await checkout.placeOrder(chosen)).id
  }

  /** The id of a shipping method of that kind. */
  async #pick(pick: Pick | undefined, chosen?: string): Promise<string | undefined> {
    if (pick === undefined) return undefined
    const methods = await this.#shop.checkout().shipmentMethods()
    const found = methods.find((one) => {
      if (pick === 'servicepoint') return one.is_servicepoint
      return (
        pick === 'first' || (one.id !== chosen && one.price_incl !== this.#order().shipmentMethod?.price_incl)
      )
    })
    if (!found) throw new Skipped(`The provider has no ${pick === 'other' ? 'second' : pick} shipment method`)
    return found.id
  }

  #order(): Order {
    const order = this.orderId === undefined ? undefined : this.#shop.order(this.orderId)
    if (!order) throw new Failed('No order was placed')
    return order
  }

  /** The answers to the starts of this payment, oldest first; lost answers are left out. */
  #paymentUrls(): string[] {
    return this.#callsOf('payment').flatMap(({ answer, status }) => {
      if (status === undefined) return []
      const { payment_url: url } = (jsonIn(answer) ?? {}) as { payment_url?: unknown }
      return typeof url === 'string' ? [url] : []
    })
  }

  #callsOf(path: string): LoggedCall[] {
    return this.#shop.log.calls.filter((call) => call.path === path && call.orderId === this.orderId)
  }

  async #mustHold(expected: Expectation): Promise<void> {
    const until = performance.now() + this.#patience
    for (const [name, value] of Object.entries(expected)) {
      const [subject, see] = this.#subjects[name as keyof Expectation]
      for (;;) {
        const seen = await see()
        if (isDeepStrictEqual(seen, value)) break
        if (performance.now() > until) throw new Failed(`${subject} is ${seen ?? 'nothing'}, not ${value}`)
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
    methodCalls: [
      'The number of calls for methods',
      () => this.#calls.filter(({ path }) => path.endsWith('_methods')).length,
    ],
    lastStatus: ['The HTTP status', () => this.#calls.at(-1)?.status],
    result: ['The shipment', () => handlingOf(this.#order()).result],
    invoice: ['The invoice', () => handlingOf(this.#order()).invoice],
  }

  #webhooks(): LoggedCall[] {
    const { calls } = this.#shop.log
    return calls.filter((one) => one.direction === 'provider to shop' && one.orderId === this.orderId)
  }

  #agreement(): 'none' | NonNullable<Expectation['methods']> {
    const lists = this.#lists.map((list) => list.map(({ id, price_incl }) => `${id} ${price_incl}`).join())
    if (lists.some((list) => list === '')) return 'none'
    return lists.length > 1 && new Set(lists).size === 1 ? 'same' : 'some'
  }
}
