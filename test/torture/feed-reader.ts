import type { Payment } from '../../src/payments/ledger/payment.ts'
import { readChanges } from '../../src/payments/payment-timeline.ts'
import type { PaymentChange } from '../../src/store.ts'
import type { StorePort } from '../../src/store-port.ts'

/** A program that follows the feed of changes from its last cursor, through any node. No crash of ours touches what it has read. */
export class FeedReader {
  /** By cursor: a page may come again. */
  readonly #read = new Map<string, PaymentChange>()
  #after = '0'

  /** One page. A node that dies meanwhile never answers, and the next page begins at the same cursor. */
  async readPage(store: StorePort, limit = 5): Promise<number> {
    const page = await readChanges(store, { after: this.#after, limit })
    for (const change of page) this.#read.set(change.cursor, change)
    const last = page.at(-1)?.cursor
    if (last !== undefined && Number(last) > Number(this.#after)) this.#after = last
    return page.length
  }

  async readAll(store: StorePort): Promise<void> {
    while ((await this.readPage(store, 100)) > 0) {
      // Until nothing is left.
    }
  }

  hasRead(orderId: string): boolean {
    return [...this.#read.values()].some((change) => change.orderId === orderId)
  }

  /** Whether each fact of a payment was read once, and in the order in which it was stored. */
  faults({ orderId, attempts }: Payment): string[] {
    const changes = [...this.#read.values()]
      .filter((change) => change.orderId === orderId)
      .sort((one, other) => Number(one.cursor) - Number(other.cursor))
    return attempts.flatMap(({ id, facts }) => {
      const own = changes.filter(({ attempt }) => attempt === id)
      const read = own.map(({ kind, event, amount }) => words(kind, event, kind === 'opened' ? '' : amount))
      const stored = ['opened', ...facts.map(({ kind, event, amount }) => words(kind, event, amount))]
      return read.join(', ') === stored.join(', ')
        ? []
        : [`I13 the feed has "${read.join(', ')}" of attempt ${id}, and the facts are "${stored.join(', ')}"`]
    })
  }
}

const words = (...parts: (string | undefined)[]) => parts.filter((part) => part).join(' ')
