import type { Dispatcher } from 'undici'
import type { OutgoingAnswer, OutgoingCall } from '../world.ts'

const maxAnswer = 64 * 1024
const limits = { headersTimeout: 0, bodyTimeout: 0 }

/**
 * Below undici's `request`: its streams and signals would cost more than the call. `url` is the address of the call, read. Of `timeout`,
 * `waited` milliseconds are over already.
 */
export function sendTo(
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  { method, headers, body, timeout }: Omit<OutgoingCall, 'url'>,
  waited = 0,
): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    const answer = { status: 0, retryAfter: undefined as string | undefined }
    const chunks: Buffer[] = []
    let size = 0
    let over = false
    let connection: Dispatcher.DispatchController | undefined
    const end = (settle: () => void) => {
      if (over) return
      over = true
      clearTimeout(timer)
      settle()
    }
    const fail = (error: Error) => end(() => reject(error))
    const succeed = () =>
      end(() =>
        resolve({ ...answer, body: Buffer.concat(chunks).toString('utf8', 0, Math.min(size, maxAnswer)) }),
      )
    // One limit for the whole call, so that a receiver that sends byte by byte cannot hold it.
    const late = () => {
      const error = new Error(`no answer within ${timeout / 1000} s`)
      fail(error)
      connection?.abort(error)
    }
    const timer = setTimeout(late, Math.max(0, timeout - waited))
    dispatcher.dispatch(
      // The limits of undici would be two more timers for each call.
      { ...limits, origin, path: `${pathname}${search}`, method: method as 'POST', headers, body },
      {
        onRequestStart(controller) {
          connection = controller
          if (over) controller.abort(new Error('too late'))
        },
        onResponseStart(_controller, status, { 'retry-after': retryAfter }) {
          answer.status = status
          answer.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
        },
        onResponseData(controller, chunk) {
          chunks.push(chunk)
          size += chunk.length
          if (size < maxAnswer) return
          succeed()
          // This ends the connection, so that a receiver cannot keep us reading.
          controller.abort(new Error('the answer is longer than is read'))
        },
        onResponseEnd: succeed,
        onResponseError: (_controller, error) => fail(error),
      },
    )
  })
}
