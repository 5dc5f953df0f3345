import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'

/** Where the customer goes when the payment service is done with them: our address, which leads on to the shop. */
export const returnUrl = (workings: Workings, attempt: Attempt): string =>
  `${pageUrl(workings, attempt)}/return`

export const pageUrl = (workings: Workings, attempt: Attempt): string =>
  `${workings.publicUrl}/p/${workings.pages.of(attempt)}`

/**
 * Sees to it that the attempt's page has the address that it is given now, and resolves with its hash: the row may have one that was made
 * before addresses were derived.
 */
export async function ensurePage({ store, pages }: Workings, attempt: Attempt): Promise<string> {
  const pageHash = pages.hashOf(attempt)
  if (attempt.pageHash !== pageHash) await store.movePage(attempt.shopId, attempt.id, pageHash)
  return pageHash
}
