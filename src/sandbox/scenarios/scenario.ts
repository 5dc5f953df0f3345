import type { PaymentStatus, ServiceType } from '../../contract/index.ts'
import type { Handling, OrderStatus } from '../orders.ts'
import type { Destination } from '../payloads.ts'
import type { SwitchValues } from '../switches.ts'

/** Which of the methods that are offered: by place, by what it is, or the one after the one that was chosen. */
export type Pick = 'first' | 'servicepoint' | 'other'

/** What must hold. What a provider does in its own time is waited for. */
export interface Expectation {
  /** How the payment of the order stands at the shop. */
  order?: OrderStatus
  /** What the provider answers when it is asked; the order does not follow from it. */
  provider?: PaymentStatus
  /** How many webhook calls have come for the order. */
  webhooks?: number
  /** How many of them the shop has not answered yet. */
  webhooksWaiting?: number
  /** Whether the starts of the payment were answered with one address. */
  paymentUrls?: 'same' | 'different'
  /** Whether the lists of methods have the same ids and prices, or any at all. */
  methods?: 'same' | 'some'
  /** How many calls for methods were made. */
  methodCalls?: number
  /** The HTTP status of the last call. */
  lastStatus?: number
  result?: Handling['result']
  invoice?: Handling['invoice']
}

/** One thing that the shop, its customer or time does. */
export type Step =
  | { estimate: Partial<Destination> }
  | { checkout: { country?: string; zipcode?: string; address1?: string } }
  | { order: { shipment?: Pick; language?: string } }
  /** On the provider's payment page. `tabs`: the same button in so many of them at the same moment. */
  | { choose: PaymentStatus; tabs?: number; of?: 'first' | 'last' }
  | { customer: 'returns' }
  | { payAgain: { shipment?: Pick } }
  | { repeatStart: number }
  | { askFor: 'unknown order' }
  | { switch: Partial<SwitchValues> }
  /** Time passes, such as `5s`, `2h` or `1month`. */
  | { move: string }
  | { expect: Expectation }

/** A named timeline: what happens, and what must hold in the end. */
export interface Scenario {
  name: string
  title: string
  needs: ServiceType[]
  steps: Step[]
}

/** A step in words. */
export function wordsOf(step: Step): string {
  if ('estimate' in step) return 'The cart asks for an estimate'
  if ('checkout' in step) return 'The checkout asks for the methods'
  if ('order' in step) return 'The customer places an order'
  if ('choose' in step)
    return `The customer chooses "${step.choose}" on the payment page${step.tabs ? ` in ${step.tabs} tabs` : ''}`
  if ('customer' in step) return 'The customer returns to the shop'
  if ('payAgain' in step) return 'The customer pays again for the same order'
  if ('repeatStart' in step) return `The shop repeats the start of the payment, ${times(step.repeatStart)}`
  if ('askFor' in step) return 'The shop asks for an order that the provider does not know'
  if ('switch' in step)
    return `Switched: ${Object.entries(step.switch)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`
  if ('move' in step) return `Time passes: ${step.move}`
  return `Must hold: ${Object.entries(step.expect)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`
}

const times = (number: number) => (number === 1 ? 'once' : `${number} times`)
