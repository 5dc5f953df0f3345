import { wrongCall } from '../errors/errors.ts'
import type { State, Table } from './state.ts'

// Habits of live platforms beyond the spec, and faults on the way. Each can be set while the shop runs: on its page, by command, in code.

/** A switch with the effect of each value; the first one is the default. */
const choice = <Name extends string>(title: string, values: Record<Name, string>) => ({ title, values })

const choices = {
  cutOff: choice('How long the shop waits for an answer', {
    '20s': '20 seconds',
    '10s': '10 seconds',
    '5s': '5 seconds',
    '3s': '3 seconds',
  }),
  calls: choice('Calls to the provider', {
    once: 'Each is made once',
    doubled: 'Each is made twice at the same moment',
  }),
  answers: choice('Answers of the provider', {
    arrive: 'Arrive',
    dropNext: 'The next one is lost on the way',
    drop: 'All are lost on the way',
  }),
  created: choice('A 200 where the contract says 201', { accepted: 'Counts', refused: 'Counts as an error' }),
  invalidMethods: choice('A list of methods with an invalid one', {
    leftOut: 'The invalid one is left out',
    dropped: 'The whole list is silently dropped',
  }),
  methodLists: choice('Lists of methods', {
    fresh: 'Requested every time',
    '60s': 'Cached for 60 seconds',
    '12h': 'Cached for 12 hours',
  }),
  failing: choice('A provider that fails five times within a minute', {
    asked: 'Is still called',
    skipped: 'Is not called for a minute',
  }),
  webhook: choice('The webhook', {
    accepted: 'Is accepted',
    late: 'Is accepted after 10 seconds',
    refused: 'Is answered 500',
    limited: 'Is answered 429 with Retry-After of a minute',
    gone: 'Is answered 410',
  }),
  statusAfterWebhook: choice('The status after a webhook', {
    after: 'Is read once the webhook is answered',
    inside: 'Is read before the webhook is answered',
    twice: 'Is read twice',
  }),
  customer: choice('A customer who has paid', {
    returns: 'Returns to the shop',
    returnsTwice: 'Returns twice at the same moment',
    returnsLate: 'Returns two hours later',
    never: 'Never returns',
  }),
  paymentTabs: choice('Placing an order', {
    one: 'Starts one payment',
    two: 'Starts the payment in two tabs at the same moment',
  }),
  chosenMethod: choice('The chosen payment method', {
    method: 'Is named by “method”; “id” names the service',
    both: 'Is named by “id” and by “method”',
  }),
  orderNumbers: choice('Numbers of orders', {
    counted: 'Are counted, as ORD01001',
    letters: 'Are 16 letters',
  }),
  noData: choice('Fields without data', {
    mixed: 'Are mixed, as live platforms send them',
    missing: 'Are left out',
    null: 'Are null',
    text: 'Are empty text',
    false: 'Are false',
  }),
  shopId: choice('The id of the shop', {
    body: 'Is in the header, and in the body of payments',
    header: 'Is sent as X-Shop-Id alone with payments',
    none: 'Is not sent with payments',
  }),
  api: choice('The API of the platform', {
    works: 'Works',
    limited: 'Allows 10 calls in 5 minutes',
    limitNext: 'Answers the next call with 429',
    loseNext: 'Loses the answer to the next call',
    forbidden: 'Answers 403',
    broken: 'Answers 500',
    html: 'Answers with an HTML page',
    half: 'Answers with half a body',
    redirect: 'Redirects to another host',
    silent: 'Does not answer',
  }),
  chargeExpiry: choice('A charge without approval', {
    '72h': 'Expires after 72 hours',
    '27h': 'Expires after 27 hours',
  }),
}

/** The name of a switch: a habit of live platforms, or a fault on the way. */
export type SwitchName = keyof typeof choices
/** The values of all switches. */
export type SwitchValues = { [N in SwitchName]: keyof (typeof choices)[N]['values'] & string }

/** One switch with its value and all values it can take, each with its meaning. */
export interface Switch {
  name: SwitchName
  title: string
  value: string
  values: Record<string, string>
}

const switchNames = Object.keys(choices) as SwitchName[]

const atStart = Object.fromEntries(
  switchNames.map((name) => [name, Object.keys(choices[name].values)[0]]),
) as SwitchValues

type Row = { id: number; values: Partial<SwitchValues> }

export class Switches {
  readonly #rows: Table<Row>

  constructor(state: State) {
    this.#rows = state.table('switches')
  }

  get values(): SwitchValues {
    return { ...atStart, ...this.#rows.get(1)?.values }
  }

  list(): Switch[] {
    const { values } = this
    return switchNames.map((name) => ({ name, ...choices[name], value: values[name] }))
  }

  /** The switches that are not at their default. */
  changed(): Switch[] {
    return this.list().filter(({ name, value }) => value !== atStart[name])
  }

  /** Throws `ARGUMENT_INVALID`, which names the switch, or its values. */
  set(changes: Partial<Record<string, string>>): void {
    const checked = Object.entries(changes).map(([name, value]) => {
      if (!Object.hasOwn(choices, name))
        throw wrongCall(`There is no switch "${name}". There are ${switchNames.join(', ')}.`)
      const known = Object.keys(choices[name as SwitchName].values)
      if (!known.includes(String(value))) throw wrongCall(`The switch ${name} takes ${known.join(', ')}`)
      return [name, value]
    })
    this.#rows.set({ id: 1, values: { ...this.values, ...Object.fromEntries(checked) } })
  }

  readonly reset = (): void => this.set(atStart)

  /** Whether a switch is set to a one-time fault, which is then reset. */
  once<N extends SwitchName>(name: N, value: SwitchValues[N]): boolean {
    if (this.values[name] !== value) return false
    this.set({ [name]: atStart[name] })
    return true
  }
}
