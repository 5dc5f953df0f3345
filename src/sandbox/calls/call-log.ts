import type { FieldFault } from '../../contract/index.ts'
import type { SourceLine } from '../../observability/source-faults/source-lines.ts'
import type { State, Table } from '../state.ts'
import type { Explanation } from './explanation.ts'

/** The kinds of calls between a shop and a provider, with their words (spec 4.3). */
export const callKinds = {
  rates: 'Rates',
  estimate: 'Estimate',
  methods: 'Payment methods',
  payment: 'Payment start',
  status: 'Payment status',
  webhook: 'Webhook',
  api: 'Shop API',
  other: 'Other',
} as const

export type CallKind = keyof typeof callKinds

export function kindOf({ direction, method, path, request }: LoggedCall): CallKind {
  if (direction === 'provider to shop') return path.startsWith('webhooks/') ? 'webhook' : 'api'
  if (path === 'shipment_methods')
    return (request as { rate_estimate?: unknown } | undefined)?.rate_estimate ? 'estimate' : 'rates'
  if (path === 'payment_methods') return 'methods'
  if (path === 'payment') return 'payment'
  return method === 'GET' && path.startsWith('payment/') ? 'status' : 'other'
}

export interface CallFailure {
  /** The path of a fault, or the name of the adapter that failed. */
  at: string
  message: string
  /** The line of the adapter's code, as `rates.ts:16`. */
  place?: string | undefined
  /** That line, if the provider sends it. */
  line?: SourceLine | undefined
}

/** Everything that went wrong in a call, that of its adapters first. Empty for a call that is as it should be. */
export function failuresOf({ status, faults, explanation, meaning }: LoggedCall): CallFailure[] {
  const thrown = explanation?.failures ?? []
  const isFailed = (result: string) => result === 'failed' || result === 'skipped'
  const adapters = (explanation?.adapters ?? []).filter(({ result }) => isFailed(result))
  const named = adapters.map(({ adapter, result, reason = result, words, place }) => {
    const line = thrown.find((one) => one.adapter === adapter)?.lines[0]
    const message = words === undefined ? reason : `${reason}: ${words}`
    return { at: adapter, message, place: placeOf(line) ?? place, line }
  })
  const unnamed = thrown.filter(({ adapter }) => !adapters.some((one) => one.adapter === adapter))
  const others = unnamed.map(({ adapter: at = 'adapter', what, message, lines: [line] }) => ({
    ...{ at, message: `${what}: ${message}`, place: placeOf(line), line },
  }))
  const failures = [...named, ...others, ...faults.map(({ path, message }) => ({ at: path, message }))]
  if (failures.length > 0 || (status !== undefined && status < 400)) return failures
  return [{ at: status === undefined ? 'no answer' : String(status), message: meaning }]
}

const placeOf = (line: SourceLine | undefined) => line && `${line.file}:${line.line}`

/** The time that counts against a limit: that of the slowest adapter if the provider explains it, otherwise that of the call. */
export function timeOf({ ms, wait, explanation }: LoggedCall): { ms: number; of: number | undefined } {
  if (explanation?.deadline === undefined || explanation.adapters.length === 0) return { ms, of: wait }
  return { ms: Math.max(...explanation.adapters.map((one) => one.ms)), of: explanation.deadline }
}

/** One call, in either direction, with the platform's reading of it. */
export interface LoggedCall {
  number: number
  /** Milliseconds since 1970, by the clock of the sandbox. */
  at: number
  direction: 'shop to provider' | 'provider to shop'
  /** The external service that was called. */
  service?: { id: number; name: string } | undefined
  orderId: number | undefined
  /** The id of the calling shop, if it is not the first one. */
  shopId?: number | undefined
  /** Set for a call for methods: its checkout. */
  checkoutId?: number | undefined
  method: string
  /** The path below the endpoint, or below the shop. */
  path: string
  /** Endpoint tokens are left out. */
  url: string
  request: unknown
  /** Not set without an answer. */
  status: number | undefined
  /** The sandbox's own reason for a missing answer: it lost the answer, or sent no call, as a switch says. Default: none. */
  unanswered?: 'lost' | 'not sent' | undefined
  ms: number
  /** How long the shop would have waited for the answer, in milliseconds. Not set for a webhook. */
  wait?: number | undefined
  /** By lower-case name, without credentials. */
  headers?: { request: Record<string, string>; answer: Record<string, string> } | undefined
  /** The raw answer, at most 64 KiB. */
  answer: string
  /** Deviations of the answer from the contract, by path. */
  faults: FieldFault[]
  /** The platform's reaction, in a sentence. */
  meaning: string
  /** Why each rate is in the answer or not, if a provider in development explains it. */
  explanation?: Explanation | undefined
}

type Defaults = 'orderId' | 'answer' | 'faults'
type NewCall = Omit<LoggedCall, 'number' | Defaults> & Partial<Pick<LoggedCall, Defaults>>

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization'])

/** A step of a session beside its calls: one of the customer on a provider's payment page, or how far the clock moved forward in milliseconds. */
export type SessionStep =
  | { step: 'customer'; orderId: number; choose: string; start: number; tabs: number }
  | { step: 'clock'; ms: number }

/** Is called as a step begins, and what it returns at its end. */
type BeginStep = (step: SessionStep) => (done: boolean) => void

export class CallLog {
  /** The number of calls that are kept; older ones are removed. */
  static readonly most = 5_000
  readonly #table: Table<LoggedCall & { id: number }>
  readonly calls: LoggedCall[]
  readonly #listeners = new Map<(call: LoggedCall) => void, BeginStep | undefined>()

  constructor(state: State) {
    this.#table = state.table('call')
    this.calls = this.#table.all()
  }

  readonly find = (number: number): LoggedCall | undefined =>
    this.calls.find((call) => call.number === number)

  add(call: NewCall): LoggedCall {
    const number = this.#table.nextId()
    const logged = {
      ...{ orderId: undefined, answer: '', faults: [] },
      ...call,
      id: number,
      number,
      url: withoutToken(call.url),
      request: withoutSecrets(call.request),
      headers: call.headers && {
        request: shownHeaders(call.headers.request),
        answer: shownHeaders(call.headers.answer),
      },
    }
    this.calls.push(logged)
    this.#table.set(logged)
    if (this.calls.length > CallLog.most) this.#table.delete(this.calls.shift()!.number)
    for (const listener of this.#listeners.keys()) listener(logged)
    return logged
  }

  /** Calls back with each call, and as a step between calls begins. Returns how to stop. */
  follow(listener: (call: LoggedCall) => void, begin?: BeginStep): () => void {
    this.#listeners.set(listener, begin)
    return () => this.#listeners.delete(listener)
  }

  /** Takes a step of the customer on a payment page, or of the clock. Rejects as it does. */
  async take<T>(step: SessionStep, taking: () => Promise<T>): Promise<T> {
    const ends = [...this.#listeners.values()].map((begin) => begin?.(step))
    let done = false
    try {
      const result = await taking()
      done = true
      return result
    } finally {
      for (const end of ends) end?.(done)
    }
  }
}

const withoutToken = (url: string) => url.replace(/\/e\/[^/]+/, '/e/…')

const shownHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shownHeader(name, value)]))

const shownHeader = (name: string, value: string) =>
  secretHeaders.has(name) ? '(not shown)' : withoutToken(value)

function withoutSecrets(value: unknown, name = ''): unknown {
  if (name === 'password' && value) return '(not shown)'
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, key)]))
}
