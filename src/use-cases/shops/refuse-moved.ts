import { PurveyorError } from '../../errors.ts'
import { time } from '../../printable.ts'
import type { CopyMark } from '../../store.ts'
import type { StorePort } from '../../store-port.ts'

/**
 * Rejects with `STORE_MOVED` for a store that no provider may serve: it was moved, or is a copy that was given up. So no shop is served, and no webhook sent, from two stores.
 */
export async function refuseMoved(store: StorePort): Promise<void> {
  for (const mark of await store.copyMarks()) {
    const why = whyNot(mark)
    if (why !== undefined) throw new PurveyorError('STORE_MOVED', why)
  }
}

/** Notes in a finished copy that it is served: from now on its source is behind. In milliseconds since 1970. */
export async function noteServed(store: StorePort, now: number): Promise<void> {
  const marks = await store.copyMarks()
  if (marks.some(({ role, servedAt }) => role === 'copy' && servedAt === undefined))
    await store.noteServed(now)
}

/** The reason why no provider may serve a store, with the remedy; `undefined` if one may. */
export function whyNot({ state, other, beganAt, endedAt = beganAt }: CopyMark): string | undefined {
  switch (state) {
    case 'moved':
      return `The store was moved to ${other} at ${time(endedAt)}. Set PURVEYOR_DATABASE_URL to that one. If the move is taken back, run purveyor db release.`
    case 'retired':
      return `The store is a copy that was given up, and ${other} is served again. Empty it before the next copy.`
    case 'finished':
      return undefined
  }
}
