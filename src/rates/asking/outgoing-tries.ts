import { reasonOf } from '../../adapters/cause-of.ts'
import type { OutgoingTry } from '../explanation.ts'

const most = 20
/** The most characters of a refused answer. */
const mostOfAnswer = 300

/** Records the calls of an adapter for one answer. */
export class OutgoingTries {
  readonly all: OutgoingTry[] = []
  readonly #now: () => number
  /** Whether paths and refused answers are recorded: they may hold what a customer typed. */
  readonly #ownWords: boolean

  constructor(now: () => number, ownWords: boolean) {
    this.#now = now
    this.#ownWords = ownWords
  }

  /** The status of the last call; `undefined` if it had no answer. */
  lastStatus: number | undefined

  /** The same `fetch`, recorded. */
  of(fetching: typeof fetch): typeof fetch {
    return async (input, init) => {
      const started = this.#now()
      const url = URL.parse(input instanceof Request ? input.url : String(input))
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
      const to = `${url?.host ?? ''}${this.#ownWords ? (url?.pathname ?? '') : ''}`
      const ended = (how: Partial<OutgoingTry>) => {
        this.lastStatus = how.status
        if (this.all.length < most) this.all.push({ method, to, ms: this.#now() - started, ...how })
      }
      try {
        const answer = await fetching(input, init)
        const ms = this.#now() - started
        ended({ status: answer.status, ms, ...(this.#ownWords && (await beginningOf(answer))) })
        return answer
      } catch (error) {
        ended({ failure: reasonOf(error) })
        throw error
      }
    }
  }
}

/** The beginning of a refused answer on one line. The adapter reads the answer itself as well. */
async function beginningOf(answer: Response): Promise<Pick<OutgoingTry, 'answer'>> {
  if (answer.status < 400) return {}
  const text = await answer
    .clone()
    .text()
    .catch(() => '')
  const line = text.replace(/\s+/g, ' ').trim().slice(0, mostOfAnswer)
  return line === '' ? {} : { answer: line }
}
