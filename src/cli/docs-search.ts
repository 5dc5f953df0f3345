import type { Options } from 'minisearch'
import type { Section } from './docs-pages.ts'

/** What is searched of a section. */
interface Searched {
  id: number
  heading: string
  title: string
  text: string
}

export const searched = ({ heading, title, lines }: Section, id: number): Searched => ({
  id,
  heading,
  title,
  text: lines.slice(1).join(' '),
})

/** How sections are searched, in the terminal and on the site: names count more than text, and a word may have a slip. */
export const searchOptions: Options<Searched> = {
  fields: ['heading', 'title', 'text'],
  storeFields: [],
  // `payments.retention` and `shop add` are found by each of their words, and by the whole name.
  tokenize: (text) => text.split(/[^\p{L}\p{N}_-]+/u).filter(Boolean),
  searchOptions: {
    boost: { heading: 4, title: 2 },
    prefix: true,
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
}
