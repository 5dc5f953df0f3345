import { openState } from '../../payments/page-state.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'
import { askForPage } from './ask-for-page.ts'
import { movePageState } from './move-page-state.ts'
import { canBeAsked } from './read-status.ts'

/**
 * Asks the payment service how an attempt stands whose form had no certain outcome. Where it says that the customer has not finished, the
 * form may be filled in again. Without an answer everything stays as it is.
 */
export async function lookAgain(workings: Workings, attempt: Attempt): Promise<void> {
  if (openState(workings.contents, attempt)?.is !== 'unsure') return
  if ((await askForPage(workings, attempt)) === 'open') await movePageState(workings, attempt, undefined)
}

/**
 * Offers the form again to a customer who is not going to finish at the bank. A service that can be asked has to say first that they have
 * not: a second payment beside one that was confirmed would take the money twice.
 */
export async function startAgain(workings: Workings, attempt: Attempt): Promise<void> {
  if (openState(workings.contents, attempt)?.is !== 'onward') return
  const standing = await askForPage(workings, attempt)
  if (standing === 'open' || !canBeAsked(workings, attempt)) await movePageState(workings, attempt, undefined)
}
