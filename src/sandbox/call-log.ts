import type { FieldFault } from '../contract/index.ts'
import type { Explanation } from './explanation.ts'

/** One call, in either direction, with what the platform makes of it. */
export interface LoggedCall {
  number: number
  /** Milliseconds since 1970. */
  at: number
  direction: 'shop to provider' | 'provider to shop'
  orderId: number | undefined
  method: string
  /** Endpoint tokens are left out. */
  url: string
  request: unknown
  /** Not set when no answer came. */
  status: number | undefined
  ms: number
  /** As it came, at most 64 KiB. */
  answer: string
  /** Where the answer is not what the contract says, by path. */
  faults: FieldFault[]
  /** What the platform does with it, in a sentence. */
  meaning: string
  /** Why each rate is in the answer or not, where a provider in development tells. */
  explanation?: Explanation | undefined
}

const keep = 500
const secrets = new Set(['password'])

/** The calls of this sandbox, newest last. */
export class CallLog {
  readonly calls: LoggedCall[] = []
  #number = 0

  add(call: Omit<LoggedCall, 'number'>): LoggedCall {
    const logged = {
      ...call,
      number: ++this.#number,
      url: call.url.replace(/\/e\/[^/]+/, '/e/…'),
      request: withoutSecrets(call.request),
    }
    this.calls.push(logged)
    if (this.calls.length > keep) this.calls.shift()
    return logged
  }
}

const withoutSecrets = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (key, inner) => (secrets.has(key) && inner ? '(not shown)' : inner)))
