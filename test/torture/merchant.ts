import type { PurveyorError } from '../../src/errors/errors.ts'
import { moveMoney } from '../../src/payments/move-money.ts'
import type { Clock } from './clock.ts'
import type { Node } from './node.ts'
import type { Psp } from './psp.ts'
import type { Random } from './random.ts'

const minute = 60_000

interface Intent {
  key: string
  reference: string
  /** What was answered in the end. */
  answer: 'done' | 'refused' | undefined
}

/** A person who sends money back through the provider, and repeats what was not answered with the same key. */
export class Merchant {
  readonly #intents: Intent[] = []
  readonly #clock: Clock
  readonly #random: Random
  readonly #nodes: () => Node[]

  constructor(clock: Clock, random: Random, nodes: () => Node[]) {
    this.#clock = clock
    this.#random = random
    this.#nodes = nodes
  }

  async refund(reference: string, amount: number): Promise<void> {
    const intent: Intent = { key: `refund-${this.#intents.length + 1}`, reference, answer: undefined }
    this.#intents.push(intent)
    for (let tries = 0; tries < 500 && !intent.answer; tries++) {
      intent.answer = await this.#ask(intent, amount)
      if (!intent.answer) await this.#clock.wait(this.#random.between(minute, 20 * minute))
    }
  }

  /** What must be true of these refunds in the ledger of the payment service. */
  faults({ asked }: Psp): string[] {
    const keys = new Set(this.#intents.map(({ key }) => key))
    const twice = [...asked].filter(([key, { outcome }]) => !keys.has(key) && 'event' in outcome)
    return [
      ...twice.map(([, { reference }]) => `I13 money of ${reference} was sent back under a key of its own`),
      ...this.#intents.flatMap(({ key, reference, answer }) => {
        const outcome = asked.get(key)?.outcome
        if (answer === 'done' && !(outcome && 'event' in outcome))
          return [`I13 ${key} of ${reference} is done, and moved no money`]
        return answer ? [] : [`I13 ${key} of ${reference} is never answered`]
      }),
    ]
  }

  async #ask({ key, reference }: Intent, amount: number): Promise<Intent['answer']> {
    const node = this.#random.pick(this.#nodes().filter(({ alive }) => alive))
    if (!node) return undefined
    const asking = moveMoney(node.workings, 'refund', { adapter: 'psp', reference }, { amount, key }).then(
      ({ refused }) => (refused === undefined ? 'done' : 'refused'),
      // There is nothing to send back, and nothing was asked of the payment service.
      ({ code }: PurveyorError) => (code === 'MONEY_UNAVAILABLE' ? 'refused' : undefined),
    )
    const answer = await Promise.race([asking, this.#clock.wait(30_000)])
    return node.alive ? (answer ?? undefined) : undefined
  }
}
