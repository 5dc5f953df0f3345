import type { Started } from '../../payments/adapter.ts'
import type { Attempt, AttemptStart } from '../../payments/payment.ts'
import { nextCheck } from '../../payments/schedule.ts'
import { sealData } from '../../payments/status.ts'
import type { Workings } from '../workings.ts'
import { cancelAttempts } from './cancel-attempts.ts'
import { returnUrl } from './form-outcome.ts'
import { noteStatements } from './note-statements.ts'
import { canBeAsked } from './read-status.ts'

const hour = 3_600_000
const day = 24 * hour

/** Stores the next step of an attempt. */
export async function noteStarted(workings: Workings, attempt: Attempt, started: Started): Promise<Attempt> {
  if ('refused' in started) return noteRefused(workings, attempt, started)
  const { world } = workings
  const expiresAt = started.expiresAt?.getTime() ?? world.now() + ('later' in started ? 14 * day : hour)
  return noteStart(workings, attempt, { ...attemptStart(started), data: started.data }, expiresAt)
}

/** The customer goes straight back; the shop reads `cancelled` and lets them choose again. */
async function noteRefused(
  workings: Workings,
  attempt: Attempt,
  { refused, reference, data }: Extract<Started, { refused: string }>,
): Promise<Attempt> {
  const started = {
    ...noDetails,
    how: 'redirect',
    paymentUrl: returnUrl(workings, attempt),
    reference,
  } as const
  // The payment service may report money of it all the same.
  if (reference !== undefined || data !== undefined)
    await noteStart(workings, attempt, { ...started, data }, attempt.expiresAt)
  await noteStatements(workings, attempt, [{ word: 'failed', detail: refused.slice(0, 200) }], 'start')
  return { ...attempt, started }
}

async function noteStart(
  workings: Workings,
  attempt: Attempt,
  { data, ...started }: Omit<AttemptStart, 'sealedData'> & { data: unknown },
  expiresAt: number,
): Promise<Attempt> {
  const { id, openedAt } = attempt
  const asked = canBeAsked(workings, attempt)
    ? nextCheck({ openedAt, expiresAt }, workings.world.now())
    : undefined
  const start = { ...started, sealedData: sealData(workings.contents, id, data) }
  const times = { expiresAt, checkAt: asked ?? expiresAt }
  const noted = await workings.store.noteStart(attempt, start, times)
  if (noted.pushesDue) workings.wake()
  // The newer start could not cancel what was not open yet.
  if (noted.isReplaced) void cancelAttempts(workings, [noted.attempt])
  return noted.attempt
}

const noDetails = { urlExpiresAt: undefined, reference: undefined }

function attemptStart(started: Exclude<Started, { refused: string }>): AttemptStart {
  const { reference } = started
  if ('page' in started) return { ...noDetails, how: 'page', paymentUrl: undefined, reference }
  if ('later' in started) return { ...noDetails, how: 'later', paymentUrl: undefined, reference }
  return {
    how: 'redirect',
    paymentUrl: started.redirect,
    urlExpiresAt: started.urlExpiresAt?.getTime(),
    reference,
  }
}
