import { html, raw } from 'hono/html'
import MarkdownIt, { type Token } from 'markdown-it'
import { Highlighter } from './highlight.ts'
import type { Page } from './page.ts'

/** A page of the site. */
export interface SitePage extends Page {
  /** Its address below the site's root, such as `reference/options.html`. */
  href: string
  tokens: Token[]
}

export interface NavGroup {
  title: string
  pages: readonly SitePage[]
}

/** What a link of a page leads to, by its address in Markdown. */
type LinkOf = (href: string) => string

/** Nothing is loaded from elsewhere, nothing is inline, and no form leaves the site. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

const { escapeHtml } = new MarkdownIt().utils

/** How many characters of code a table never breaks. */
const longestInOnePiece = 34

/** Writes pages as HTML. What many pages share is made once. */
export class Renderer {
  readonly #groups: readonly NavGroup[]
  readonly #navs = new Map<string, string>()
  readonly #highlighter = new Highlighter()
  readonly #markdown = new MarkdownIt({ html: false })
  readonly #exported: ReadonlyMap<string, string>

  /** `exported` is the address of each exported name below the site's root. */
  constructor(groups: readonly NavGroup[], exported: ReadonlyMap<string, string>) {
    this.#groups = groups
    this.#exported = exported
    this.#setRules()
  }

  /** A whole page. It works without JavaScript, from a server and from a folder. */
  async page(page: SitePage, linkOf: LinkOf): Promise<string> {
    const root = '../'.repeat(page.href.split('/').length - 1)
    const all = this.#groups.flatMap(({ pages }) => pages)
    const place = all.indexOf(page)
    const step = (to: SitePage | undefined) => (to ? html`<a href="${root}${to.href}">${to.title}</a>` : '')
    const whole = html`<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} - Purveyor</title>
<link rel="stylesheet" href="${root}site.css">
<script src="${root}site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${root}index.html">Purveyor</a>
<search hidden>
<input type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<output></output>
<ul></ul>
</search>
<a class="pages" href="#pages">All pages</a>
</header>
<div class="sides">
<main id="content">
${raw(this.#body(page, linkOf).replace('</h1>', `</h1>${contentsOf(page)}`))}
<div class="steps"><span>${step(all[place - 1])}</span><span>${step(all[place + 1])}</span></div>
</main>
<nav class="all" id="pages" aria-label="All pages">
${raw(await this.#nav(root, page))}</nav>
</div>
</body>
</html>
`
    return String(await whole)
  }

  /** The list of all pages, with a mark at this one. */
  async #nav(root: string, current: SitePage): Promise<string> {
    const nav = this.#navs.get(root) ?? String(await navOf(this.#groups, root))
    this.#navs.set(root, nav)
    const link = `<a href="${root}${current.href}"`
    return nav.replace(link, `${link} aria-current="page"`)
  }

  #body({ tokens, headings, href }: SitePage, linkOf: LinkOf): string {
    const slugs = headings.map(({ slug }) => slug)
    // Declarations are read, not copied, so their long lines are folded.
    const wraps = /^reference\/(exports-|options)/.test(href)
    // A name of the code leads to its place in the reference.
    const linked = (code: string) => (href.startsWith('reference/') ? this.#withLinks(code, href) : code)
    return this.#markdown.renderer.render(tokens, this.#markdown.options, { slugs, linkOf, wraps, linked })
  }

  /** Links the exported names in HTML of code. */
  #withLinks(code: string, from: string): string {
    return code.replace(/<[^>]*>|\b[A-Za-z]\w+\b/g, (word) => {
      const href = this.#exported.get(word)
      if (href === undefined) return word
      return `<a href="${href.startsWith(`${from}#`) ? href.slice(from.length) : `../${href}`}">${word}</a>`
    })
  }

  #setRules(): void {
    const { rules } = this.#markdown.renderer
    rules.heading_open = (tokens, place, options, { slugs }, self) => {
      const slug = slugs.shift() ?? ''
      tokens[place]!.attrSet('id', slug)
      const open = self.renderToken(tokens, place, options)
      return tokens[place]!.tag === 'h1' ? open : `${open}<a href="#${slug}">`
    }
    rules.heading_close = (tokens, place, options, _env, self) =>
      `${tokens[place]!.tag === 'h1' ? '' : '</a>'}${self.renderToken(tokens, place, options)}`
    // What scrolls can be reached by keyboard.
    rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'
    rules.table_close = () => '</table></div>'
    rules.fence = (tokens, place, _options, { wraps, linked }) => {
      const { content, info } = tokens[place]!
      const code = linked(this.#highlighter.highlight(content, info.trim()))
      return `<pre tabindex="0"${wraps ? ' class="declaration"' : ''}><code>${code}</code></pre>\n`
    }
    // A table is wide enough for a short name in one piece.
    rules.code_inline = (tokens, place, _options, { linked }) => {
      const { content } = tokens[place]!
      const isShort = content.length <= longestInOnePiece
      // A link holds no other one.
      const isLinked = tokens[place - 1]?.type === 'link_open'
      const text = isLinked ? escapeHtml(content) : linked(escapeHtml(content))
      return `<code${isShort ? ' class="short"' : ''}>${text}</code>`
    }
    rules.image = (tokens, place, options, env, self) => {
      const token = tokens[place]!
      token.attrSet('alt', self.renderInlineAsText(token.children ?? [], options, env))
      return `<span class="drawing" tabindex="0" role="group" aria-label="Drawing">${self.renderToken(tokens, place, options)}</span>`
    }
    rules.link_open = (tokens, place, options, { linkOf }, self) => {
      const href = tokens[place]!.attrGet('href')
      if (href !== null) tokens[place]!.attrSet('href', linkOf(href))
      return self.renderToken(tokens, place, options)
    }
  }
}

/** The headings of a page with more than two of them, for its side. */
const contentsOf = ({ headings }: SitePage) => {
  const shown = headings.filter(({ level }) => level === 2)
  if (shown.length < 3 || shown.length > 40) return ''
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>
${shown.map(
  ({ slug, text }) => html`<li><a href="#${slug}">${text}</a></li>
`,
)}</ul></nav>
`
}

const navOf = (groups: readonly NavGroup[], root: string) =>
  html`${groups.map(
    ({ title, pages }) => html`<h2 class="group">${title}</h2>
<ul>
${pages.map(
  (page) => html`<li><a href="${root}${page.href}">${page.title}</a></li>
`,
)}</ul>
`,
  )}`
