import { z } from 'zod'
import { anyOption, checkOptions, each, optionGroup } from '../../checked-options.ts'
import type { PaymentStatus } from '../../contract/index.ts'
import { type Served, wireType } from '../../contract/served.ts'
import { wrongCall } from '../../errors/errors.ts'
import {
  type CartOptions,
  type CheckoutOptions,
  type DeliveryAddress,
  type Destination,
  only,
  wordOf,
} from '../../messages/options.ts'
import { type PersonName, personNames } from '../../messages/people.ts'
import type { PresetName } from '../../messages/presets.ts'
import type { Handling, OrderStatus } from '../orders.ts'
import type { Services } from '../state.ts'
import type { SwitchValues } from '../switches.ts'

/** The shipping method to choose: by place, by kind, or the one after the current choice. */
export type MethodPick = 'first' | 'servicepoint' | 'pickup' | 'cash on delivery' | 'other'

/** The cart and the customer of a step. */
export interface Visit
  extends Partial<Destination>,
    Partial<Pick<DeliveryAddress, 'address1'>>,
    Pick<CheckoutOptions, 'language'>,
    Pick<CartOptions, 'currency'> {
  /** The products, by the name of a preset. Default: those of the shop's cart. */
  lines?: PresetName
  /** The customer and the address, the name of one of the sandbox's people. Default `nl`. */
  customer?: PersonName
}

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
  /** Whether every answer with methods is one that the contract allows, and no id is there twice. Default: not asked. */
  answers?: 'valid'
  /** Whether the lists have the same ids and prices; they may be empty. Default: not asked. */
  lists?: 'same'
  /** The number of calls for each kind of methods. Default: any. */
  methodCalls?: number
  /** The HTTP status of the last call. Default: any. */
  lastStatus?: number
  /** The shop's handling of the order. Default: any. */
  handling?: Handling['status']
  /** The result of the order's handling by the shop. Default: any. */
  result?: Handling['result']
  /** The party that makes the invoice of the order. Default: any. */
  invoice?: Handling['invoice']
}

/** An order of a scenario. */
export interface OrderStep extends Visit {
  /** The shipping method to choose. Default `first`. */
  shipment?: MethodPick
  /** Pays in the shop itself, whether there is a payment service or not. Default `false`. */
  ownPayment?: boolean
}

/** One action of the shop, its customer or time. */
export type Step =
  | { estimate: Visit }
  | { checkout: Visit }
  | { order: OrderStep }
  /** On the page, and back to the shop. A payment without a page stays open. */
  | { pay: 'paid' }
  /** On the provider's payment page. */
  | {
      choose: PaymentStatus
      /** The number of tabs that click the button at the same moment. Default 1. */
      tabs?: number
      /** The payment page of the first or the last start. Default `last`. */
      of?: 'first' | 'last'
    }
  | { customer: 'returns' }
  | {
      payAgain: {
        /** The shipping method. Default: that of the order. */
        shipment?: MethodPick
        /** The products, by the name of a preset. Default: those of the order. */
        lines?: PresetName
        /** One that is not that of the order. Default: that of the order. */
        currency?: 'other'
      }
    }
  | {
      /** The number of times. */
      repeatStart: number
    }
  | { askFor: 'unknown order' }
  | { switch: Partial<SwitchValues> }
  /** Time passes, such as `5s`, `2h` or `1month`. */
  | { move: string }
  /** Time passes, up to two months, until the expectation holds. Skips a provider that keeps the payment open. */
  | { moveUntil: Expectation }
  | { expect: Expectation }
  /** Skips the scenario for this reason if the expectation does not hold. */
  | { onlyIf: Expectation; otherwise: string }

/** A checkout to play: its steps, and the end that it must reach. */
export interface Scenario {
  name: string
  title: string
  /** A provider has to serve these. Otherwise the scenario is skipped. */
  needs: Served[]
  steps: Step[]
}

const visit = {
  lines: anyOption,
  customer: wordOf(personNames).optional(),
  ...only('language', 'currency', 'address1', 'zipcode', 'country'),
} satisfies Record<keyof Visit, z.ZodType>

const expectation = optionGroup({
  ...each(anyOption, 'order', 'provider', 'webhooks', 'webhooksWaiting', 'paymentUrls', 'methods', 'answers'),
  ...each(anyOption, 'lists', 'methodCalls', 'lastStatus', 'handling', 'result', 'invoice'),
} satisfies Record<keyof Expectation, z.ZodType>).optional()

type Member<One> = One extends unknown ? keyof One : never

const step = optionGroup({
  ...each(optionGroup(visit).optional(), 'estimate', 'checkout'),
  order: optionGroup({ ...visit, shipment: anyOption, ownPayment: z.boolean().optional() }).optional(),
  payAgain: optionGroup(each(anyOption, 'shipment', 'lines', 'currency')).optional(),
  ...each(expectation, 'moveUntil', 'expect', 'onlyIf'),
  ...each(anyOption, 'pay', 'choose', 'tabs', 'of', 'customer', 'repeatStart'),
  ...each(anyOption, 'askFor', 'switch', 'move', 'otherwise'),
} satisfies Record<Member<Step>, z.ZodType>)

/** Throws `ARGUMENT_INVALID` that names the step, and every field of it that does not exist. */
export function checkSteps({ steps }: Scenario): void {
  for (const [index, one] of steps.entries()) checkOptions(`run(): steps[${index}]`, step, one)
}

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

/** Why a shop cannot play a scenario beside its providers. */
export function whyNotPlayed(
  scenario: Scenario,
  { services, movesProviders }: { services: Services; movesProviders: boolean },
): string | undefined {
  const missing = scenario.needs.find((served) => services.active(wireType[served]).length === 0)
  if (missing) return `No active service is registered for ${missing}`
  if (!services.all().some(({ isActive }) => isActive)) return 'No active service is registered'
  const estimates = services.active('shipment').some(({ rateEstimate }) => rateEstimate)
  if (comparesEstimate(scenario) && !estimates) return 'No active service is registered for estimates'
  return !movesProviders && scenario.steps.some(movesTime)
    ? 'The clock of this provider cannot be moved: it does not run under the sandbox'
    : undefined
}

const comparesEstimate = ({ steps }: Scenario) =>
  steps.some((step) => 'estimate' in step) &&
  steps.some((step) => 'expect' in step && step.expect.methods === 'same')

const movesTime = (step: Step) =>
  'move' in step || 'moveUntil' in step || ('switch' in step && step.switch.customer === 'returnsLate')

/** A step in words. Throws `ARGUMENT_INVALID` for one that there is not. */
export function wordsOf(step: Step): string {
  if ('estimate' in step) return `The cart asks for an estimate${forVisit(step.estimate)}`
  if ('checkout' in step) return `The checkout asks for the methods${forVisit(step.checkout)}`
  if ('order' in step) return `The customer places an order${forVisit(step.order)}`
  if ('choose' in step)
    return `The customer chooses "${step.choose}" on the payment page${step.tabs ? ` in ${step.tabs} tabs` : ''}`
  if ('customer' in step) return 'The customer returns to the shop'
  if ('payAgain' in step) return `The customer pays again for the same order${forVisit(step.payAgain)}`
  if ('repeatStart' in step) return `The shop repeats the start of the payment, ${times(step.repeatStart)}`
  if ('askFor' in step) return 'The shop asks for the status of an unknown order'
  if ('switch' in step) return `Switched: ${pairsOf(step.switch)}`
  if ('pay' in step) return 'The customer pays and returns; a payment without a page stays open'
  if ('move' in step) return `Time passes: ${step.move}`
  if ('moveUntil' in step) return `Time passes until: ${pairsOf(step.moveUntil)}`
  if ('onlyIf' in step) return `Goes on only if: ${pairsOf(step.onlyIf)}`
  if ('expect' in step) return `Must hold: ${pairsOf(step.expect)}`
  throw wrongCall(`There is no step ${Object.keys(step).join(', ')}`)
}

const pairsOf = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** A visit in words, such as ` (lines heavy, country be)`. */
const forVisit = (visit: object): string => (Object.keys(visit).length === 0 ? '' : ` (${pairsOf(visit)})`)

const times = (number: number) => (number === 1 ? 'once' : `${number} times`)
