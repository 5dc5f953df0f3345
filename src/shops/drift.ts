import { LRUCache } from 'lru-cache'
import { ContractForms, type MessageName } from '../contract/read.ts'
import type { DriftRecord } from '../store-port.ts'
import { upTo } from '../world.ts'

/** So many bodies of a shop and message are compared from a start on, and then every 64th: a platform changes in days. */
const comparedFirst = 20
const comparedEvery = 64
/** The most drifts that wait to be stored; further ones are found again later. */
const mostWaiting = 2_000
const mostCounted = 20_000

/** Notes what platforms send beside the contract, by shop. Kept in memory until it is stored. */
export class DriftNotes {
  readonly #contract = new ContractForms()
  /** How many came, by shop and message: of those that came last. */
  readonly #bodies = new LRUCache<string, { count: number }>(upTo(mostCounted))
  #waiting = new Map<string, DriftRecord>()

  /** Compares some bodies with the contract. `rounded`: the path of a total that was rounded. Never throws. */
  note(
    shopId: string,
    message: MessageName,
    { body, outcome, now }: { body: unknown; outcome: 'read' | 'refused'; now: number },
    rounded?: string,
  ): void {
    const key = `${shopId} ${message}`
    const counted = this.#bodies.get(key) ?? { count: 0 }
    if (counted.count === 0) this.#bodies.set(key, counted)
    const count = counted.count++
    if (count >= comparedFirst && count % comparedEvery !== 0) return
    const drifts = this.#contract.driftsIn(message, body)
    const kind =
      typeof Object(Object(body).order ?? Object(body).quote).price_incl === 'string' ? 'text' : 'number'
    if (rounded !== undefined) drifts.push({ path: rounded, kind, became: 'rounded' })
    for (const { path, kind, became } of drifts)
      this.#add({
        ...{ shopId, message, path, kind, count: 1, firstAt: now, lastAt: now },
        // A field that no adapter declares costs no message.
        became: became === 'refused' && outcome === 'read' ? 'lost' : became,
      })
  }

  /** The paths of a body's fields that cannot be read, although the message is. */
  lostIn(message: MessageName, body: unknown): string[] {
    const lost = this.#contract
      .driftsIn(message, body)
      .filter(({ became }) => became === 'lost' || became === 'refused')
    return [...new Set(lost.map(({ path }) => path))]
  }

  take(): DriftRecord[] {
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    return waiting
  }

  #add(drift: DriftRecord): void {
    const { shopId, message, path, kind, became, lastAt } = drift
    const key = JSON.stringify([shopId, message, path, kind, became])
    const noted = this.#waiting.get(key)
    if (noted) {
      noted.count++
      noted.lastAt = lastAt
    } else if (this.#waiting.size < mostWaiting) this.#waiting.set(key, drift)
  }
}
