import type { ContentSeal } from './content-seal.ts'
import type { FormCount } from './form-limits.ts'
import type { Attempt } from './payment.ts'

/**
 * Where the customer is on the page of an attempt, between two visits: a reload, Back and a second tab show the same. The count of its
 * forms is one commit with it.
 */
export type PageState = { count: FormCount } & (
  | { is: 'open' }
  /**
   * A form is at the adapter, until then at the latest, in milliseconds since 1970. After that nobody knows its outcome. Before `quiet` its
   * request may still reach the payment service: no other form is offered, whatever the service says.
   */
  | { is: 'handling'; until: number; quiet: number }
  /** The form with what was wrong with it, as HTML or as plain text. */
  | { is: 'again'; content: string; isText: boolean }
  /** The customer went on to this address, and has not come back. */
  | { is: 'onward'; url: string; at: number }
  /** The outcome of a form is not known: it may have moved money. */
  | { is: 'unsure'; quiet: number }
  /** A form reported its outcome, or the payment has ended. */
  | { is: 'done' }
)

/** The most that is kept of a form, in bytes. */
export const mostState = 64 * 1024

const rowOf = (id: string) => `page ${id}` as const

export const sealState = (contents: ContentSeal, id: string, state: PageState): string =>
  contents.close(JSON.stringify(state), rowOf(id))

export const openState = (contents: ContentSeal, { id, pageState }: Attempt): PageState =>
  pageState === undefined
    ? { is: 'open', count: { forms: 0, fruitless: 0, nextAt: 0 } }
    : (JSON.parse(contents.open(pageState, rowOf(id))) as PageState)
