import { wrongCall } from '../errors.ts'
import type { Collection } from './state.ts'

// Habits of live platforms beyond the spec, and faults on the way. Every switch can be set while the shop runs: on its page, on the command
// line and in code.

interface Choice {
  title: string
  /** The effect of each value; the first one is the default. */
  values: Record<string, string>
}

const choices = {
  cutOff: {
    title: 'How long the shop waits for an answer',
    values: { '20s': '20 seconds', '10s': '10 seconds', '5s': '5 seconds', '3s': '3 seconds' },
  },
  calls: {
    title: 'Calls to the provider',
    values: { once: 'Each is made once', doubled: 'Each is made twice at the same moment' },
  },
  answers: {
    title: 'Answers of the provider',
    values: {
      arrive: 'Arrive',
      dropNext: 'The next one is lost on the way',
      drop: 'All are lost on the way',
    },
  },
  created: {
    title: 'A 200 where the contract says 201',
    values: { accepted: 'Counts', refused: 'Counts as an error' },
  },
  invalidMethods: {
    title: 'A list of methods with an invalid one',
    values: { leftOut: 'The invalid one is left out', dropped: 'The whole list is silently dropped' },
  },
  methodLists: {
    title: 'Lists of methods',
    values: { fresh: 'Requested every time', '60s': 'Cached for 60 seconds', '12h': 'Cached for 12 hours' },
  },
  failing: {
    title: 'A provider that fails five times within a minute',
    values: { asked: 'Is still called', skipped: 'Is not called for a minute' },
  },
  webhook: {
    title: 'The webhook',
    values: {
      accepted: 'Is accepted',
      late: 'Is accepted after 10 seconds',
      refused: 'Is answered 500',
      limited: 'Is answered 429 with Retry-After of a minute',
      gone: 'Is answered 410',
    },
  },
  statusAfterWebhook: {
    title: 'The status after a webhook',
    values: {
      after: 'Is read once the webhook is answered',
      inside: 'Is read before the webhook is answered',
      twice: 'Is read twice',
    },
  },
  customer: {
    title: 'A customer who has paid',
    values: {
      returns: 'Returns to the shop',
      returnsTwice: 'Returns twice at the same moment',
      returnsLate: 'Returns two hours later',
      never: 'Never returns',
    },
  },
  paymentTabs: {
    title: 'Placing an order',
    values: { one: 'Starts one payment', two: 'Starts the payment in two tabs at the same moment' },
  },
  chosenMethod: {
    title: 'The chosen payment method',
    values: {
      method: 'Is named by “method”; “id” names the service',
      both: 'Is named by “id” and by “method”',
    },
  },
  noData: {
    title: 'Fields without data',
    values: {
      mixed: 'Are mixed, as live platforms send them',
      missing: 'Are left out',
      null: 'Are null',
      text: 'Are empty text',
      false: 'Are false',
    },
  },
  shopId: {
    title: 'The id of the shop',
    values: {
      body: 'Is in the header, and in the body of payments',
      header: 'Is sent as X-Shop-Id alone with payments',
      none: 'Is not sent with payments',
    },
  },
  api: {
    title: "The platform's own API",
    values: {
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
    },
  },
  chargeExpiry: {
    title: 'A charge without approval',
    values: { '72h': 'Expires after 72 hours', '27h': 'Expires after 27 hours' },
  },
} as const satisfies Record<string, Choice>

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

interface Row {
  id: number
  values: Partial<SwitchValues>
}

export class Switches {
  readonly #rows: Collection<Row>

  constructor(rows: Collection<Row>) {
    this.#rows = rows
  }

  get values(): SwitchValues {
    return { ...atStart, ...this.#rows.get(1)?.values }
  }

  /** All switches with their descriptions. */
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
      if (!known.includes(String(value))) throw wrongCall(`The switch ${name} is one of ${known.join(', ')}`)
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
