import type { Token } from 'markdown-it'
import { headingsOf, markdown, plainText } from '../../.ci/docs/page.ts'

interface Table {
  /** The anchor of the heading above it. */
  under: string
  head: string[]
  /** The cells as they are written, without the marks of code. */
  rows: string[][]
}

const cellsOf = (tokens: readonly Token[]): string[] =>
  tokens.filter(({ type }) => type === 'inline').map(plainText)

/** The tables of a page. */
export function tablesOf(text: string): Table[] {
  const tokens = markdown.parse(text, {})
  const headings = headingsOf(tokens)
  return tokens.flatMap((token, place) => {
    if (token.type !== 'table_open') return []
    const end = tokens.findIndex(({ type }, at) => at > place && type === 'table_close')
    const rows: string[][] = []
    let from = place
    for (let at = place; at < end; at++) {
      if (tokens[at]!.type === 'tr_open') from = at
      if (tokens[at]!.type === 'tr_close') rows.push(cellsOf(tokens.slice(from, at)))
    }
    const line = (token.map?.[0] ?? 0) + 1
    const under = headings.findLast((heading) => heading.line < line)?.slug ?? ''
    return [{ under, head: rows[0] ?? [], rows: rows.slice(1) }]
  })
}
