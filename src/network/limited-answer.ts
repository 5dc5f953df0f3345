import type { Response } from 'undici'
import { PurveyorError } from '../errors/errors.ts'

/** In decoded bytes. */
export const defaultMaxAnswer = 8 * 1024 * 1024

const mebibytes = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes} bytes` : `${bytes / 1024 / 1024} MiB`

export const tooLarge = (limit: number): PurveyorError =>
  new PurveyorError(
    'ANSWER_TOO_LARGE',
    `The answer is larger than ${mebibytes(limit)}, decoded. Ask for less at a time; an adapter can raise its network.maxAnswer`,
  )

/**
 * The answer with a body that fails with `ANSWER_TOO_LARGE` at the first byte beyond the limit, however it is read. The limit counts
 * decoded bytes, since a few compressed ones can stand for a thousand times as many.
 */
export function limitAnswer(
  answer: Response,
  limit: number,
  refused: (error: PurveyorError) => void,
  make: typeof Response,
): Response {
  const codings = (answer.headers.get('content-encoding') ?? '').split(',').filter((one) => one.trim() !== '')
  // Each further coding multiplies the cost of a byte, and may decode for minutes before a byte is counted.
  if (codings.length > 1) {
    const error = new PurveyorError(
      'ANSWER_ENCODED_TWICE',
      `The answer has ${codings.length} content codings, one in the other. Ask its sender for one`,
    )
    answer.body?.cancel(error).catch(() => {})
    throw error
  }
  if (!answer.body) return answer
  const { status, statusText, headers, url } = answer
  const limited = new make(countedBody(answer, limit, refused), { status, statusText, headers })
  return Object.defineProperty(limited, 'url', { value: url })
}

function countedBody(
  answer: Response,
  limit: number,
  refused: (error: PurveyorError) => void,
): ReadableStream<Uint8Array> {
  let left = limit
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        // Starts only when the body is read: an unread body is released together with its answer, which is referenced here.
        reader ??= answer.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
        const { done, value } = await reader.read().catch((error: unknown) => {
          if (!isTooLong(error)) throw error
          const tooLong = tooLarge(limit)
          refused(tooLong)
          throw tooLong
        })
        if (done) {
          controller.close()
          controller.byobRequest?.respond(0)
          return
        }
        left -= value.byteLength
        if (left >= 0) return controller.enqueue(value)
        const error = tooLarge(limit)
        refused(error)
        // This ends the connection too.
        reader.cancel(error).catch(() => {})
        throw error
      },
      cancel: (reason) => (reader ? reader.cancel(reason) : answer.body!.cancel(reason)),
    },
    { highWaterMark: 0 },
  )
}

/** Whether undici stopped an answer with too many bytes on the wire. */
export const isTooLong = (error: unknown): boolean =>
  ((error as Error | undefined)?.cause as { code?: string } | undefined)?.code ===
  'UND_ERR_RES_EXCEEDED_MAX_SIZE'
