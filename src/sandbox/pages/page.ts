import type { Content } from '../../http/pages/parts/frame.ts'

export interface Page {
  title: string
  /** Why something was not done. It is read out at once. */
  alert?: { look: 'wait' | 'bad'; words: string } | undefined
  /** One line below the title. */
  facts?: Content
  content?: Content
  /** A page as a customer sees it, in the shop's own clothes. Beside it stands what only a developer needs. */
  front?: { content: Content; beside?: Content; below?: Content }
  /** Says in the title of the window that something on the page is wrong. */
  faulty?: boolean
  /** The address that the browser opens next by itself. */
  goOn?: string
  /** Parts of the page with `data-live` update without a reload. */
  live?: boolean
  /** Without JavaScript the browser loads it again every two seconds. */
  reload?: boolean
  /** It is about the fault of the provider itself, so nothing else on it says so. */
  showsFault?: boolean
  /** Fields that narrow the search on top of this page. */
  narrows?: Content
  /** The name of another script of this page. */
  script?: string
}
