import type { Dispatcher } from 'undici'
import { version } from '../version.ts'
import type { OutgoingAnswer, OutgoingCall } from '../world.ts'

const userAgent = { 'user-agent': `purveyor/${version}` }
const maxAnswer = 64 * 1024
const limits = { headersTimeout: 0, bodyTimeout: 0 }

interface Beside {
  /** How much of its time is over already, in milliseconds. */
  waited: number
  trace: Record<string, string> | undefined
}

/** Below undici's `request`: its streams and signals would cost more than the call. `url` is the address of the call, read. */
export function sendTo(
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  { method, headers, body, timeout }: Omit<OutgoingCall, 'url'>,
  { waited, trace }: Beside,
): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      {
        // The limits of undici would be two more timers for each call.
        ...limits,
        ...{ origin, path: `${pathname}${search}`, method: method as 'POST', body },
        headers: { ...userAgent, ...headers, ...trace },
      },
      new Sending({ timeout, waited, resolve, reject }),
    )
  })
}

interface SendingOptions {
  timeout: number
  waited: number
  resolve: (answer: OutgoingAnswer) => void
  reject: (error: Error) => void
}

/** One limit for the whole call, so that a receiver that sends byte by byte cannot hold it. */
class Sending implements Dispatcher.DispatchHandler {
  readonly #options: SendingOptions
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #size = 0
  #status = 0
  #retryAfter: string | undefined
  #connection: Dispatcher.DispatchController | undefined
  #isOver = false

  constructor(options: SendingOptions) {
    this.#options = options
    // The connections keep the process alive.
    this.#timer = setTimeout(() => this.#late(), Math.max(0, options.timeout - options.waited)).unref()
  }

  #late(): void {
    const error = new Error(`no answer within ${this.#options.timeout / 1000} s`)
    this.#fail(error)
    this.#connection?.abort(error)
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    const [first = Buffer.alloc(0)] = this.#chunks
    const read = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first
    const body = read.toString('utf8', 0, Math.min(this.#size, maxAnswer))
    this.#options.resolve({ status: this.#status, retryAfter: this.#retryAfter, body })
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
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
    this.#end()
    // This ends the connection, so that a receiver cannot keep us reading.
    controller.abort(new Error('the answer is longer than is read'))
  }

  onResponseEnd(): void {
    // The connection becomes free in the next turn, and a call that followed earlier would open another.
    setImmediate(() => setImmediate(() => this.#end()))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }
}
