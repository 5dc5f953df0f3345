import type { PaymentStatus, ServiceType } from '../../contract/index.ts'
import type { Handling, OrderStatus } from '../orders.ts'
import type { DeliveryAddress, Destination } from '../people.ts'
import type { SwitchValues } from '../switches.ts'

/** The method to choose: by place, by kind, or the one after the current choice. */
export type Pick = 'first' | 'servicepoint' | 'other'

/** The expectations. The scenario waits for events in the provider's own time. */
export interface Expectation {
  /** The payment status of the order at the shop. */
  order?: OrderStatus
  /** The status that the provider answers; it does not change the order. */
  provider?: PaymentStatus
  /** The number of webhook calls for the order. Default: any. */
  webhooks?: number
  /** The number of them without an answer yet. Default: any. */
  webhooksWaiting?: number
  /** Whether all starts of the payment got the same address. */
  paymentUrls?: 'same' | 'different'
  /** Whether the lists of methods have the same ids and prices, or at least one method. */
  methods?: 'same' | 'some'
  /** The number of calls for methods. Default: any. */
  methodCalls?: number
  /** The HTTP status of the last call. Default: any. */
  lastStatus?: number
  /** The result of the order's handling by the shop. Default: any. */
  result?: Handling['result']
  /** The party that makes the invoice of the order. Default: any. */
  invoice?: Handling['invoice']
}

/** An order of a scenario. */
export interface OrderStep {
  /** The shipping method to choose. Default `first`. */
  shipment?: Pick
  /** The language of the customer, two letters. Default `en`. */
  language?: string
}

/** One action of the shop, its customer or time. */
export type Step =
  | { estimate: Partial<Destination> }
  | { checkout: Partial<Omit<DeliveryAddress, 'number' | 'city' | 'extension' | 'region'>> }
  | { order: OrderStep }
  /** On the provider's payment page. */
  | {
      choose: PaymentStatus
      /** The number of tabs that click the button at the same moment. Default 1. */
      tabs?: number
      /** The payment page of the first or the last start. Default `last`. */
      of?: 'first' | 'last'
    }
  | { customer: 'returns' }
  | { payAgain: Omit<OrderStep, 'language'> }
  | {
      /** The number of times. */
      repeatStart: number
    }
  | { askFor: 'unknown order' }
  | { switch: Partial<SwitchValues> }
  /** Time passes, such as `5s`, `2h` or `1month`. */
  | { move: string }
  | { expect: Expectation }

/** A checkout to play: its steps, and the end that it must reach. */
export interface Scenario {
  name: string
  title: string
  needs: ServiceType[]
  steps: Step[]
}

export type ScenarioByName = Omit<Scenario, 'name' | 'needs'> & { needs?: ServiceType[] }

/** Scenarios by name, with what most of them need. */
export const scenariosOf = (needs: ServiceType[], named: Record<string, ScenarioByName>): Scenario[] =>
  Object.entries(named).map(([name, scenario]) => ({ name, needs, ...scenario }))

/** The customer places an order, presses a button of the payment page and returns. */
export const orderThen = (choose: PaymentStatus): Step[] => [
  { order: {} },
  { choose },
  { customer: 'returns' },
]

export const isPaid: Step = { expect: { order: 'paid', provider: 'paid' } }
/** The customer pays, returns, and finds the order paid. */
export const pays: Step[] = [{ choose: 'paid' }, { customer: 'returns' }, isPaid]
export const ordersAndPays: Step[] = [{ order: {} }, ...pays]

export function wordsOf(step: Step): string {
  if ('estimate' in step) return 'The cart asks for an estimate'
  if ('checkout' in step) return 'The checkout asks for the methods'
  if ('order' in step) return 'The customer places an order'
  if ('choose' in step)
    return `The customer chooses "${step.choose}" on the payment page${step.tabs ? ` in ${step.tabs} tabs` : ''}`
  if ('customer' in step) return 'The customer returns to the shop'
  if ('payAgain' in step) return 'The customer pays again for the same order'
  if ('repeatStart' in step) return `The shop repeats the start of the payment, ${times(step.repeatStart)}`
  if ('askFor' in step) return 'The shop asks for the status of an unknown order'
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
