import { html, raw } from 'hono/html'
import { jsonIn } from '../../../contract/texts.ts'
import type { Content, Html } from './frame.ts'

/** The meaning of a state to its reader: it is well, it takes time, it needs somebody, or it is over without more to say. */
export type Look = 'good' | 'wait' | 'bad' | ''

/** A state as a word, a colour and a shape. */
export const pill = (look: Look, words: Content): Html =>
  html`<span class="pill${look && ` ${look}`}">${words as never}</span>`

/** A box that is to be read: one bold sentence, then what follows from it. At most one above the fold. */
export const note = (look: Look, sentence: Content, more: Content = '', { alert = false } = {}): Html =>
  html`<div class="note${look && ` ${look}`}"${alert ? raw(' role="alert"') : ''}><strong>${sentence as never}</strong>${more === '' ? '' : html`<div>${more as never}</div>`}</div>`

/** In the place of a list without entries: what it would hold, and what makes the first one. */
export const empty = (sentence: Content, ...next: readonly Content[]): Html =>
  html`<div class="empty"><p>${sentence as never}</p>${next.map((one) => html`<p>${one as never}</p>`)}</div>`

/** The start of a page: its title with pills, one line of facts, and what can be done. */
export const head = (title: Content, facts: Content = '', actions: Content = ''): Html =>
  html`<div class="head"><div><h1>${title as never}</h1>${facts === '' ? '' : html`<p>${facts as never}</p>`}</div>${actions === '' ? '' : html`<div class="row">${actions as never}</div>`}</div>`

/** Names and their values; a value of `undefined` is left out. */
export const facts = (of: Readonly<Record<string, Content | undefined>>): Html =>
  html`<dl class="kv">${Object.entries(of).map(([name, value]) => (value === undefined ? '' : html`<dt>${name}</dt><dd>${value as never}</dd>`))}</dl>`

/** A button that copies a text, or the code beside it. It is of use with a script alone, and gone without one. */
export const copy = (text = ''): Html =>
  html`<button type="button" class="copy" data-copy="${text}">Copy</button>`

/** Code or JSON, which the keyboard can scroll, with a button that copies it. */
export const code = (text: Content): Html =>
  html`<div class="code">${copy()}<pre tabindex="0">${text as never}</pre></div>`

/** A part of a whole, in percent. */
export const bar = (percent: number, fill: 'a' | 'g' | 'w' | 'b'): Html =>
  html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="f-l" width="100" height="8" rx="4"/><rect class="f-${fill}" width="${percent.toFixed(1)}" height="8" rx="4"/></svg>`

/** Names, text, and other values of JSON. */
const values = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g

/** JSON with indents and colours. Text that is no JSON stays as it is. */
export function json(text: string): Html {
  const value = jsonIn(text)
  if (value === undefined) return code(text)
  const shown = JSON.stringify(value, null, 2)
  const pieces: Html[] = []
  let end = 0
  for (const { 0: found, 1: quoted, 2: colon, index } of shown.matchAll(values)) {
    const kind = quoted === undefined ? 'n' : colon === undefined ? 's' : 'k'
    pieces.push(html`${shown.slice(end, index)}<span class="${kind}">${found}</span>`)
    end = index + found.length
  }
  return code([...pieces, shown.slice(end)])
}
