import { type Grammar, grammars, hljs } from './grammars.js'
import { markdown } from './page.ts'

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

/** Words of the shell such as `then` and `log` are options and commands of ours here, so they have no colour. */
const grammarOf = (name: string, grammar: Grammar): Grammar =>
  name === 'bash' ? (hljs) => ({ ...grammar(hljs), keywords: {} }) : grammar

/** Colours blocks of code, equal ones once. */
export class Highlighter {
  readonly #done = new Map<string, string>()

  constructor() {
    for (const [name, grammar] of Object.entries(grammars))
      hljs.registerLanguage(name, grammarOf(name, grammar))
  }

  /** HTML, with classes for the colours. */
  highlight(code: string, name: string): string {
    const language = languages[name]
    if (!language) return markdown.utils.escapeHtml(code)
    const key = `${language} ${code}`
    const html = this.#done.get(key) ?? hljs.highlight(code, { language }).value
    this.#done.set(key, html)
    return html
  }
}
