import { LRUCache } from 'lru-cache'
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

  /** Keeps the error of a log line. Other lines are ignored. */
  add(requestId: string | undefined, fields: object, what: string): void {
    const { err, adapter } = fields as { err?: unknown; adapter?: unknown }
    if (requestId === undefined || !(err instanceof Error)) return
    const known = this.#byRequest.get(requestId) ?? []
    if (known.length >= kept.ofOne) return
    const failure = { ...sourceFault(err), what, ...(typeof adapter === 'string' && { adapter }) }
    this.#byRequest.set(requestId, [...known, failure])
  }

  of(requestId: string): readonly AdapterFailure[] {
    return this.#byRequest.get(requestId) ?? []
  }
}
