import { LRUCache } from 'lru-cache'
import type { FieldFault } from '../contract/index.ts'
import { type SourceFault, sourceFault } from './source-faults/source-fault.ts'

/** The error of an adapter, with its place in the developer's code. */
export interface AdapterFailure extends SourceFault {
  /** Its name; not set where the log names none. */
  adapter?: string
  /** The words of the log: `payment start failed`. */
  what: string
}

const kept = { requests: 100, ofOne: 10 }

/** The errors of adapters in the last requests, in development: what the terminal shows of them, the shop's log shows too. */
export class AdapterFailures {
  readonly #byRequest = new LRUCache<string, AdapterFailure[]>({ max: kept.requests })
  /** Reports that looked wrong and came by a page or a push, by order: the next call of the shop about the order shows them. */
  readonly #ofOrders = new LRUCache<string, AdapterFailure[]>({ max: kept.requests })

  /**
   * Keeps the error of a log line, the method of a payment adapter that was left out, or a report that looks wrong. Other lines are
   * ignored.
   */
  add(requestId: string | undefined, fields: object, what: string): void {
    const { err, adapter, shop, order, fault: odd, ...line } = fields as LogLine
    const name = typeof adapter === 'string' ? adapter : undefined
    if (order !== undefined && odd !== undefined && name !== undefined) {
      const failure = { message: odd, lines: [], frames: [], what, adapter: name }
      const key = `${shop} ${order}`
      const ofOrder = this.#ofOrders.get(key) ?? []
      if (ofOrder.length < kept.ofOne) this.#ofOrders.set(key, [...ofOrder, failure])
      return
    }
    if (requestId === undefined) return
    // An adapter may throw anything.
    const isFault = err instanceof Error || (err !== undefined && name !== undefined)
    const fault = isFault ? sourceFault(err) : methodFault(line)
    const known = this.#byRequest.get(requestId) ?? []
    if (!fault || known.length >= kept.ofOne) return
    const failure = { ...fault, what, ...(name !== undefined && { adapter: name }) }
    this.#byRequest.set(requestId, [...known, failure])
  }

  of(requestId: string): readonly AdapterFailure[] {
    return this.#byRequest.get(requestId) ?? []
  }

  /** Gives the reports of an order that looked wrong, since the call before this one, to this call about it. */
  showAt(requestId: string, shop: string, order: string): void {
    const key = `${shop} ${order}`
    const failures = this.#ofOrders.get(key) ?? []
    if (failures.length === 0) return
    this.#ofOrders.delete(key)
    this.#byRequest.set(requestId, [...this.of(requestId), ...failures].slice(0, kept.ofOne))
  }
}

interface LogLine {
  err?: unknown
  adapter?: unknown
  /** Of a report that looks wrong. */
  shop?: string
  order?: string
  fault?: string
  /** The number of a method in the answer, from 1. */
  method?: number
  faults?: readonly FieldFault[]
}

function methodFault({ method, faults }: LogLine): SourceFault | undefined {
  if (method === undefined || !faults) return undefined
  const message = `method ${method}: ${faults.map((one) => `${one.path === '$' ? 'it' : one.path} ${one.message}`).join(', ')}`
  return { message, lines: [], frames: [] }
}
