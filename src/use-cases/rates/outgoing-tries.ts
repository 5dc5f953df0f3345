import type { OutgoingTry } from '../../rates/explanation.ts'
import { reasonOf } from './error-words.ts'

const most = 20

/** Records the calls of an adapter for one answer. */
export class OutgoingTries {
  readonly all: OutgoingTry[] = []
  readonly #now: () => number
  /** Whether paths are recorded: they may hold what a shopper typed. */
  readonly #withPaths: boolean

  constructor(now: () => number, withPaths: boolean) {
    this.#now = now
    this.#withPaths = withPaths
  }

  /** The status of the last call; `undefined` if it had no answer. */
  lastStatus: number | undefined

  /** The same `fetch`, recorded. */
  of(fetching: typeof fetch): typeof fetch {
    return async (input, init) => {
      const started = this.#now()
      const url = URL.parse(input instanceof Request ? input.url : String(input))
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
      const to = `${url?.host ?? ''}${this.#withPaths ? (url?.pathname ?? '') : ''}`
      const ended = (how: Pick<OutgoingTry, 'status' | 'failure'>) => {
        this.lastStatus = how.status
        if (this.all.length < most) this.all.push({ method, to, ms: this.#now() - started, ...how })
      }
      try {
        const answer = await fetching(input, init)
        ended({ status: answer.status })
        return answer
      } catch (error) {
        ended({ failure: reasonOf(error) })
        throw error
      }
    }
  }
}
