import type MiniSearch from 'minisearch'
import type { Options } from 'minisearch'

// The search of the terminal and of the site: both find the same.

/** A heading of a page, with the text up to the next heading of any level. */
export interface Section {
  page: string
  title: string
  heading: string
  level: number
  /** As they stand in the page, the heading included. */
  lines: readonly string[]
}

type Searched = Pick<Section, 'heading' | 'title'> & { id: number; text: string; isGuide: boolean }

export function searched({ page, heading, title, lines }: Section, id: number): Searched {
  const isGuide = !/^(reference|project)\//.test(page)
  return { id, heading, title, text: lines.slice(1).join(' '), isGuide }
}

/** Names count more than text, guides more than the reference, and a longer word may have a slip. */
export const searchOptions: Options<Searched> = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['isGuide'],
  tokenize: (text) => text.split(/[^\p{L}\p{N}_-]+/u).filter(Boolean),
  searchOptions: {
    boost: { heading: 4, title: 2 },
    boostDocument: (_id, _word, stored) => (stored?.isGuide ? 3 : 1),
    prefix: true,
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
  },
}

/** The ids of sections with all words, the best first; where there is none, of those with any. */
export function searchSections(index: MiniSearch<Searched>, words: string): number[] {
  const all = index.search(words, { combineWith: 'AND' })
  const found = all.length > 0 ? all : index.search(words, { combineWith: 'OR' })
  return found.slice(0, 12).map(({ id }) => id as number)
}
