import type { Collection } from './state.ts'

// What live platforms do that the spec does not promise, and what goes wrong on the way. Everything can be set while the shop
// runs: from its page, from the command line and from code.

interface Choice {
  title: string
  /** What each value does; the first one is where the switch stands at the start. */
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
    values: { leftOut: 'That one is left out', dropped: 'The whole list is dropped without a word' },
  },
  methodLists: {
    title: 'Lists of methods',
    values: { fresh: 'Asked for every time', '60s': 'Kept for 60 seconds', '12h': 'Kept for 12 hours' },
  },
  failing: {
    title: 'A provider that fails five times within a minute',
    values: { asked: 'Is asked on', skipped: 'Is left alone for a minute' },
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
      after: 'Is asked once the webhook is answered',
      inside: 'Is asked before the webhook is answered',
      twice: 'Is asked twice',
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
      header: 'Is sent as X-Shop-Id',
      none: 'Is not sent with payments',
      body: 'Is in the header, and in the body of payments',
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
    title: 'A charge that nobody approves',
    values: { '72h': 'Expires after 72 hours', '27h': 'Expires after 27 hours' },
  },
} as const satisfies Record<string, Choice>

export type SwitchName = keyof typeof choices
/** Where every switch stands. */
export type SwitchValues = { [N in SwitchName]: keyof (typeof choices)[N]['values'] & string }

export interface Switch {
  name: SwitchName
  title: string
  value: string
  values: Record<string, string>
}

export const switchNames = Object.keys(choices) as SwitchName[]

const atStart = Object.fromEntries(
  switchNames.map((name) => [name, Object.keys(choices[name].values)[0]]),
) as SwitchValues

interface Row {
  id: number
  values: Partial<SwitchValues>
}

/** The switches of one sandbox. */
export class Switches {
  readonly #rows: Collection<Row>

  constructor(rows: Collection<Row>) {
    this.#rows = rows
  }

  get values(): SwitchValues {
    return { ...atStart, ...this.#rows.get(1)?.values }
  }

  /** Every switch with what it says, for people. */
  list(): Switch[] {
    const { values } = this
    return switchNames.map((name) => ({ name, ...choices[name], value: values[name] }))
  }

  /** Throws a `TypeError` that names the switch, or the values that it has. */
  set(changes: Partial<Record<string, string>>): void {
    const checked = Object.entries(changes).map(([name, value]) => {
      if (!Object.hasOwn(choices, name)) {
        throw new TypeError(`There is no switch "${name}". There are ${switchNames.join(', ')}.`)
      }
      const known = Object.keys(choices[name as SwitchName].values)
      if (!known.includes(String(value))) {
        throw new TypeError(`The switch ${name} is one of ${known.join(', ')}`)
      }
      return [name, value]
    })
    this.#rows.set({ id: 1, values: { ...this.values, ...Object.fromEntries(checked) } })
  }

  /** Puts every switch back to where it stood at the start. */
  reset(): void {
    this.set(atStart)
  }

  /** Whether a switch stands at what happens once; it is put back. */
  once<N extends SwitchName>(name: N, value: SwitchValues[N]): boolean {
    if (this.values[name] !== value) return false
    this.set({ [name]: atStart[name] })
    return true
  }
}
