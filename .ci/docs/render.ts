import { createRequire } from 'node:module'
import { html, raw } from 'hono/html'
import MarkdownIt from 'markdown-it'
import { headingsOf, type Page } from './page.ts'

/** What is used of highlight.js: its own types bring those of a browser along, for all of our code. */
interface Highlighter {
  getLanguage(name: string): unknown
  highlight(code: string, options: { language: string }): { value: string }
  registerLanguage(name: string, language: unknown): void
}

const require = createRequire(import.meta.url)
const hljs = require('highlight.js/lib/common') as Highlighter
hljs.registerLanguage('dockerfile', require('highlight.js/lib/languages/dockerfile'))

/** A page of the site. */
export interface SitePage extends Page {
  /** Its address below the site's root, such as `reference/options.html`. */
  href: string
}

export interface NavGroup {
  title: string
  pages: readonly SitePage[]
}

interface Around {
  groups: readonly NavGroup[]
  /** What a link of this page leads to, by its address in Markdown. */
  linkOf(href: string): string
}

/** Nothing is loaded from elsewhere, nothing is inline, and no form leaves the site. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

/** A whole page. It works without JavaScript, from a server and from a folder. */
export async function renderPage(page: SitePage, { groups, linkOf }: Around): Promise<string> {
  const root = '../'.repeat(page.href.split('/').length - 1)
  const all = groups.flatMap(({ pages }) => pages)
  const place = all.indexOf(page)
  const [before, after] = [all[place - 1], all[place + 1]]
  const link = ({ href, title }: SitePage, current = false) =>
    html`<a href="${root}${href}"${current ? raw(' aria-current="page"') : ''}>${title}</a>`
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
${raw(bodyOf(page, linkOf))}
<div class="steps"><span>${before ? link(before) : ''}</span><span>${after ? link(after) : ''}</span></div>
</main>
<nav class="all" id="pages" aria-label="All pages">
${groups.map(
  ({ title, pages }) => html`<h2 class="group">${title}</h2>
<ul>
${pages.map(
  (one) => html`<li>${link(one, one === page)}</li>
`,
)}</ul>
`,
)}</nav>
</div>
</body>
</html>
`
  return String(await whole)
}

function bodyOf({ text }: SitePage, linkOf: Around['linkOf']): string {
  const markdown = new MarkdownIt({ html: false, highlight: highlighted })
  const slugs = headingsOf(markdown.parse(text, {})).map(({ slug }) => slug)
  const { rules } = markdown.renderer
  rules.heading_open = (tokens, place, options, _env, self) => {
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
  rules.fence = (tokens, place) => {
    const { content, info } = tokens[place]!
    return `<pre tabindex="0"><code>${highlighted(content, info.trim())}</code></pre>\n`
  }
  rules.link_open = (tokens, place, options, _env, self) => {
    const href = tokens[place]!.attrGet('href')
    if (href !== null) tokens[place]!.attrSet('href', linkOf(href))
    return self.renderToken(tokens, place, options)
  }
  return markdown.render(text)
}

const known: Record<string, string> = { sh: 'bash', console: 'shell', ts: 'typescript', yml: 'yaml' }

function highlighted(code: string, language: string): string {
  const name = known[language] ?? language
  if (!hljs.getLanguage(name)) return new MarkdownIt().utils.escapeHtml(code)
  return hljs.highlight(code, { language: name }).value
}
