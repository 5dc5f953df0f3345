import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'

/** The return address for customers of the payment service: ours, which redirects to the shop. That of a form has its number. */
export const returnUrl = (workings: Workings, attempt: Attempt, form?: number): string =>
  `${pageUrl(workings, attempt)}/return${form === undefined ? '' : `/${form}`}`

export const pageUrl = (workings: Workings, attempt: Attempt): string =>
  `${workings.publicUrl}/p/${workings.pages.of(attempt)}`
