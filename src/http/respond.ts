import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../contract/index.ts'
import type { SeenRequest } from '../observability/observer.ts'
import type { MaybePromise, World } from '../world.ts'
import type { AccessLog } from './access-log.ts'
import { type Answer, type End, problemAnswer, writeAnswer } from './answer.ts'
import type { ContractPath } from './contract-path.ts'
import { checkHead } from './read-body.ts'

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
