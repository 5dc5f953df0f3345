import type { html } from 'hono/html'

/** Text in which every value is escaped. */
export type Html = ReturnType<typeof html>

export interface Page {
  title: string
  /** Text is escaped. Default: none. */
  content?: Html | Promise<Html> | string
  /** The address that the browser opens next by itself. */
  goOn?: string
  /** Parts of the page with `data-live` update without a reload. */
  live?: boolean
  /** Without JavaScript the browser loads it again every two seconds. */
  reload?: boolean
  /** It is about the fault of the provider itself, so its bar says nothing of it. */
  showsFault?: boolean
  /** Uses the width of a large screen. */
  wide?: boolean
}
