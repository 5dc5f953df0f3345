import { html, raw } from 'hono/html'
import type { Content, Html } from './frame.ts'

/** The meaning of a state to its reader: it is well, it takes time, it needs somebody, or it is over without more to say. */
export type Look = 'good' | 'wait' | 'bad' | ''

/** A state as a word, a colour and a shape. */
export const pill = (look: Look, words: Content): Html =>
  html`<span class="pill${look && ` ${look}`}">${words as never}</span>` as Html

/** A box that is to be read: one bold sentence, then what follows from it. At most one above the fold. */
export const note = (look: Look, sentence: Content, more: Content = '', { alert = false } = {}): Html =>
  html`<div class="note${look && ` ${look}`}"${alert ? raw(' role="alert"') : ''}><strong>${sentence as never}</strong>${more === '' ? '' : html`<p>${more as never}</p>`}</div>` as Html

/** In the place of a list without entries: what it would hold, and what makes the first one. */
export const empty = (sentence: Content, ...next: readonly Content[]): Html =>
  html`<div class="empty"><p>${sentence as never}</p>${next.map((one) => html`<p>${one as never}</p>`)}</div>` as Html

/** The start of a page: its title with pills, one line of facts, and what can be done. */
export const head = (title: Content, facts: Content = '', actions: Content = ''): Html =>
  html`<div class="head"><div><h1>${title as never}</h1>${facts === '' ? '' : html`<p>${facts as never}</p>`}</div>${actions === '' ? '' : html`<div class="row">${actions as never}</div>`}</div>` as Html

/** Names and their values; a value of `undefined` is left out. */
export const facts = (of: Readonly<Record<string, Content | undefined>>): Html =>
  html`<dl class="kv">${Object.entries(of).map(([name, value]) => (value === undefined ? '' : html`<dt>${name}</dt><dd>${value as never}</dd>`))}</dl>` as Html

/** A button that copies a text. It is of use with a script alone, which takes its `hidden` away. */
export const copy = (text: string): Html =>
  html`<button type="button" class="copy" data-copy="${text}" hidden>Copy</button>` as Html

/** Code or JSON, which the keyboard can scroll. */
export const code = (text: Content): Html => html`<pre tabindex="0">${text as never}</pre>` as Html
