import type { Dispatcher } from 'undici'
import { version } from '../version.ts'
import type { OutgoingAnswer, OutgoingCall } from '../world.ts'

export interface OpenCall {
  /** When its time is over, by `performance.now()`. */
  readonly endsAt: number
  /** Its time is over. */
  late(): void
  /** Its answer is complete, and its connection free. */
  ended(): void
}

/** Calls that are open: they share a timer, and those that end in one turn of the event loop end together. Of its own for each call, both would cost a tenth of it. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>()
  #ended: OpenCall[] = []
  #timer: NodeJS.Timeout | undefined
  /** When the timer looks for calls whose time is over. */
  #looksAt = Number.POSITIVE_INFINITY

  add(call: OpenCall): void {
    this.#open.add(call)
    if (call.endsAt < this.#looksAt) this.#lookAt(call.endsAt)
  }

  delete(call: OpenCall): void {
    this.#open.delete(call)
  }

  /** Ends the call in the turn after next. Its connection becomes free in the next one, and a call that followed earlier would open another. */
  endSoon(call: OpenCall): void {
    this.#open.delete(call)
    if (this.#ended.push(call) > 1) return
    setImmediate(() => {
      const ended = this.#ended
      this.#ended = []
      setImmediate(() => {
        for (const one of ended) one.ended()
      })
    })
  }

  #lookAt(time: number): void {
    clearTimeout(this.#timer)
    this.#looksAt = time
    // The connections keep the process alive.
    this.#timer = setTimeout(() => this.#look(), Math.max(0, time - performance.now())).unref()
  }

  #look(): void {
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const call of this.#open) {
      if (call.endsAt > now) next = Math.min(next, call.endsAt)
      else call.late()
    }
    this.#looksAt = next
    if (next !== Number.POSITIVE_INFINITY) this.#lookAt(next)
  }
}

const userAgent = { 'user-agent': `purveyor/${version}` }
const maxAnswer = 64 * 1024
const limits = { headersTimeout: 0, bodyTimeout: 0 }

/** Things that come with a call. */
interface Beside {
  calls: OpenCalls
  /** How much of its time is over already, in milliseconds. */
  waited: number
  /** Headers that pass the trace on. */
  trace: Record<string, string> | undefined
}

/** Below undici's `request`: its streams and signals would cost more than the call. `url` is the address of the call, read. */
export function sendTo(
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  { method, headers, body, timeout }: Omit<OutgoingCall, 'url'>,
  { calls, waited, trace }: Beside,
): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      {
        // The limits of undici would be two more timers for each call.
        ...limits,
        ...{ origin, path: `${pathname}${search}`, method: method as 'POST', body },
        headers: { ...userAgent, ...headers, ...trace },
      },
      new Sending({ timeout, waited, calls, resolve, reject }),
    )
  })
}

interface SendingOptions {
  timeout: number
  waited: number
  calls: OpenCalls
  resolve: (answer: OutgoingAnswer) => void
  reject: (error: Error) => void
}

/** One limit for the whole call, so that a receiver that sends byte by byte cannot hold it. */
class Sending implements Dispatcher.DispatchHandler, OpenCall {
  readonly endsAt: number
  readonly #options: SendingOptions
  readonly #chunks: Buffer[] = []
  #size = 0
  #status = 0
  #retryAfter: string | undefined
  #connection: Dispatcher.DispatchController | undefined
  #isOver = false

  constructor(options: SendingOptions) {
    this.#options = options
    this.endsAt = performance.now() + Math.max(0, options.timeout - options.waited)
    options.calls.add(this)
  }

  late(): void {
    const error = new Error(`no answer within ${this.#options.timeout / 1000} s`)
    this.#fail(error)
    this.#connection?.abort(error)
  }

  ended(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.calls.delete(this)
    const [first = Buffer.alloc(0)] = this.#chunks
    const read = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first
    const body = read.toString('utf8', 0, Math.min(this.#size, maxAnswer))
    this.#options.resolve({ status: this.#status, retryAfter: this.#retryAfter, body })
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.calls.delete(this)
    this.#options.reject(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#connection = controller
    if (this.#isOver) controller.abort(new Error('too late'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    { 'retry-after': retryAfter }: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < maxAnswer) return
    this.ended()
    // This ends the connection, so that a receiver cannot keep us reading.
    controller.abort(new Error('the answer is longer than is read'))
  }

  onResponseEnd(): void {
    this.#options.calls.endSoon(this)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }
}
