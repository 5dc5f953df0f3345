import { createRequire } from 'node:module'
import { markdown } from './page.ts'

/** What is used of highlight.js: its own types bring those of a browser along, for all of our code. */
interface Hljs {
  highlight(code: string, options: { language: string }): { value: string }
  registerLanguage(name: string, language: unknown): void
}

/** The languages of our blocks by the names that the blocks give them. Others are shown as they are. */
const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  console: 'shell',
  ts: 'typescript',
  js: 'javascript',
  json: 'json',
  yaml: 'yaml',
  dockerfile: 'dockerfile',
  nginx: 'nginx',
}

type Grammar = (hljs: unknown) => { keywords?: unknown }

/** Words of the shell such as `then` and `log` are options and commands of ours here, so they have no colour. */
const grammarOf = (name: string, grammar: Grammar): Grammar =>
  name === 'bash' ? (hljs) => ({ ...grammar(hljs), keywords: {} }) : grammar

/** Colours blocks of code, equal ones once. */
export class Highlighter {
  readonly #done = new Map<string, string>()
  readonly #hljs: Hljs

  constructor() {
    const require = createRequire(import.meta.url)
    this.#hljs = require('highlight.js/lib/core') as Hljs
    for (const name of Object.values(languages))
      this.#hljs.registerLanguage(name, grammarOf(name, require(`highlight.js/lib/languages/${name}`)))
  }

  /** HTML, with classes for the colours. */
  highlight(code: string, name: string): string {
    const language = languages[name]
    if (!language) return markdown.utils.escapeHtml(code)
    const key = `${language} ${code}`
    const html = this.#done.get(key) ?? this.#hljs.highlight(code, { language }).value
    this.#done.set(key, html)
    return html
  }
}
