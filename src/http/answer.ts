import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers'
import { Problem, type ProblemCode } from '../contract/index.ts'
import { problemType } from '../contract/problem.ts'
import type { RefusalCode } from '../errors/refusals.ts'
import type { SeenRequest } from '../observability/observer.ts'
import { Gone, StoreUnavailable } from '../store.ts'
import type { MaybePromise, World } from '../world.ts'
import type { AccessLog, ContractPath } from './access-log.ts'
import { checkHead } from './read-body.ts'

// Tests of others replace the timers of the global object.

/** The most answers that wait for each other, so that none of them waits for long. */
const mostTogether = 32

/** Ends an answer with this text. */
export type End = (res: ServerResponse, text: string) => void

const endAtOnce: End = (res, text) => {
  res.end(text)
}

/**
 * Ends the answers of one turn of the event loop together. A caller, or the proxy in front, that sleeps between two answers is woken for
 * each of them, which costs more than all the rest of writing it. It is for the provider's own server alone: code of others around a router
 * expects its answer to end in the context of its request.
 */
export class AnswersTogether {
  #waiting: [ServerResponse, string][] = []

  readonly end: End = (res, text) => {
    const count = this.#waiting.push([res, text])
    if (count === 1) setImmediate(() => this.#endAll())
    if (count === mostTogether) this.#endAll()
  }

  #endAll(): void {
    for (const [res, text] of this.#waiting.splice(0)) {
      // An answer that was cut off meanwhile has ended.
      if (!res.writableEnded) res.end(text)
    }
  }
}

const page = 'text/html; charset=utf-8'

export interface Answer {
  status: number
  /** The text of a page, or what is sent as JSON. */
  body: unknown
  type?: 'application/json' | 'application/problem+json' | typeof page
  headers?: string[]
  code?: ProblemCode
}

/** Writes an answer that no cache stores: no ETag, no-store. */
export function writeAnswer(
  res: ServerResponse,
  common: readonly string[],
  requestId: string,
  answer: Answer,
  end: End = endAtOnce,
): void {
  const text = answer.type === page ? String(answer.body) : JSON.stringify(answer.body)
  res.writeHead(answer.status, [
    ...common,
    'Content-Type',
    answer.type ?? 'application/json',
    'Content-Length',
    String(Buffer.byteLength(text)),
    'Cache-Control',
    'no-store',
    'X-Request-Id',
    requestId,
    ...(answer.headers ?? []),
  ])
  end(res, text)
}

export class NotAllowed extends Problem {
  readonly allow: string
  constructor(allow: string) {
    super('METHOD_NOT_ALLOWED')
    this.allow = allow
  }
}

/** The longest refused body that is let in and dropped, in bytes. */
const mostDropped = 4 * 1024 * 1024

/** Writes an error answer: a stable code, the path of each fault and the request id. Never a value, never a stack. */
export function problemAnswer(error: unknown, requestId: string, { headers: sent }: IncomingMessage): Answer {
  const problem = asProblem(error)
  const { status, code, retryAfter } = problem
  const headers = retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]
  if (error instanceof NotAllowed) headers.push('Allow', error.allow)
  // The caller goes on sending. One who sends little more gets to its end: a connection that is closed before may lose the answer.
  const isEndless = status === 413 && !(Number(sent['content-length']) <= mostDropped)
  if (isEndless || code === 'HOST_HEADER_INVALID') headers.push('Connection', 'close')
  const body = { ...problem.toJSON(), request_id: requestId }
  return { status, body, type: 'application/problem+json', headers, code }
}

/** The answer to a caller who gets no reason: the operator finds it under the code. The rest of the request is not read. */
export const refusalAnswer = (code: RefusalCode): Answer => ({
  status: 403,
  body: { type: problemType(code), title: 'Forbidden', status: 403, code },
  type: 'application/problem+json',
  headers: ['Connection', 'close'],
})

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StoreUnavailable) return new Problem('STORE_UNAVAILABLE', { cause: error })
  if (error instanceof Gone) return new Problem('NOT_FOUND', { cause: error })
  return new Problem('INTERNAL', { cause: error })
}

/** Maps the errors that Express and its body parser throw for a caller's fault to our answers. */
export function problemOf(error: unknown): unknown {
  const status = error instanceof Problem ? undefined : (error as { status?: unknown } | undefined)?.status
  if (status === 413) return new Problem('BODY_TOO_LARGE', { cause: error })
  if (status === 415) return new Problem('MEDIA_TYPE_UNSUPPORTED', { cause: error })
  // An address that cannot be decoded counts as unknown.
  if (error instanceof URIError) return new Problem('NOT_FOUND', { cause: error })
  if (typeof status === 'number' && status < 500) return new Problem('BODY_UNREADABLE', { cause: error })
  return error
}

export interface Responding {
  /** `common` headers come before those of the answer. */
  common: readonly string[]
  end?: End | undefined
  path?: ContractPath
  work(seen: SeenRequest): MaybePromise<Answer>
  /** Adds to an answer, also to that of an error. */
  amend?(given: Answer, seen: SeenRequest): void
}

/** Answers a request without Express. Never rejects. A request that was left, or answered by the surrounding app, gets no answer. */
export async function respond(
  { log, now }: World,
  access: AccessLog,
  [req, res]: readonly [IncomingMessage, ServerResponse],
  { common, end, path, work, amend }: Responding,
): Promise<void> {
  if (res.destroyed || res.headersSent) return
  try {
    const started = now()
    const seen = access.begin(req, path)
    let given: Answer
    try {
      checkHead(req)
      given = await seen.run(() => work(seen))
    } catch (error) {
      given = problemAnswer(error, seen.requestId, req)
      if (!(error instanceof Problem)) seen.run(() => log.error({ err: error }, 'a request failed'))
    }
    amend?.(given, seen)
    writeAnswer(res, common, seen.requestId, given, end)
    seen.code = given.code
    seen.answered(given.status)
    access.answered(seen, given.status, now() - started)
  } catch (error) {
    log.error({ err: error }, 'an answer could not be written')
    res.destroy()
  }
}
