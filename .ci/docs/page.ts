import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import GithubSlugger from 'github-slugger'
import MarkdownIt, { type Token } from 'markdown-it'

/** Plain Markdown with tables, as code hosts show it. HTML is shown as text: a page holds none. */
export const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })

/** What a page holds, each with the line it stands in, counted from 1. */
export interface Page {
  /** The name without `.md`, as `purveyor docs` takes it. */
  name: string
  /** The first heading. */
  title: string
  text: string
  lines: number
  headings: Heading[]
  blocks: Block[]
  links: Link[]
}

export interface Heading {
  level: number
  text: string
  /** The anchor, as code hosts make it. */
  slug: string
  line: number
}

/** A fenced block of code. */
export interface Block {
  language: string
  code: string
  /** Of its first line of code. */
  line: number
}

export interface Link {
  href: string
  line: number
  isImage: boolean
}

export const readPage = (file: string): Page =>
  pageOf(basename(file).replace(/\.md$/, ''), readFileSync(file, 'utf8'))

/** Reads what tests and the site need of a page. */
export function pageOf(
  name: string,
  text: string,
  tokens: readonly Token[] = markdown.parse(text, {}),
): Page {
  const headings = headingsOf(tokens)
  return {
    name,
    title: headings[0]?.text ?? name,
    text,
    lines: text.trimEnd().split('\n').length,
    headings,
    blocks: tokens
      .filter(({ type }) => type === 'fence')
      .map(({ info, content, map }) => ({
        language: info.trim(),
        code: content,
        line: (map?.[0] ?? 0) + 2,
      })),
    links: tokens.flatMap(linksOf),
  }
}

export function headingsOf(tokens: readonly Token[]): Heading[] {
  const slugger = new GithubSlugger()
  return tokens.flatMap(({ type, tag, map }, place) => {
    if (type !== 'heading_open') return []
    const text = plainText(tokens[place + 1]!)
    return [{ level: Number(tag.slice(1)), text, slug: slugger.slug(text), line: (map?.[0] ?? 0) + 1 }]
  })
}

/** What a reader sees of a line, without marks and addresses. */
export const plainText = (token: Token): string =>
  (token.children ?? [])
    .map((child) => (child.type === 'softbreak' ? ' ' : child.type === 'image' ? '' : child.content))
    .join('')

function linksOf({ children, map }: Token): Link[] {
  const line = (map?.[0] ?? 0) + 1
  return (children ?? []).flatMap((child) => {
    const href = child.attrGet(child.type === 'image' ? 'src' : 'href')
    return href === null ? [] : [{ href, line, isImage: child.type === 'image' }]
  })
}
