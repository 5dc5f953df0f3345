import { html, raw } from 'hono/html'
import { optionList } from '../http/pages/parts/forms.ts'
import type { Content, Html } from '../http/pages/parts/frame.ts'

/** The whole number that a query or a form holds. */
export const wholeIn = (text = ''): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** A form that acts, behind a summary: it says what will happen, to whom and how many. `''` for whoever gets no form. */
export const confirm = (id: string, summary: string, content: Content, isOpen = false): Html | '' =>
  content &&
  html`<details class="confirm" id="${id}"${isOpen ? raw(' open') : ''}><summary>${summary}</summary>${content as never}</details>`

interface Field {
  name: string
  label: string
  hint?: string
  /** Several lines. Default false. */
  isLong?: boolean
  value?: string
  /** Where a page has several of one name. */
  id?: string
}

export const field = ({ name, label, hint = '', isLong = false, value = '', id = name }: Field): Html => {
  const common = html`id="${id}" name="${name}"${hint ? html` aria-describedby="${id}-hint"` : ''}`
  const input = isLong
    ? html`<textarea ${common} rows="2" maxlength="500">${value}</textarea>`
    : html`<input ${common} value="${value}" maxlength="200">`
  return html`<div class="field"><label for="${id}">${label}</label>${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}${input}</div>`
}

export const hidden = (of: Readonly<Record<string, string | number>>): Html =>
  html`${Object.entries(of).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

/** Why something that moves or could move money is done. */
export const reasonField = (id: string, value = ''): Html =>
  field({
    ...{ name: 'why', label: 'Reason', isLong: true, id, value },
    hint: 'Ten characters at least. Your name and the time go along.',
  })

export const select = (
  name: string,
  label: string,
  options: Readonly<Record<string, string>>,
  chosen = '',
): Html =>
  html`<label>${label}<select name="${name}">${optionList(Object.entries(options), chosen)}</select></label>`

export const box = (name: string, label: string, checked: unknown): Html =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="1"${checked ? raw(' checked') : ''}> ${label}</label>`

export const textBox = (name: string, label: string, value = ''): Html =>
  html`<label>${label}<input name="${name}" value="${value}" maxlength="200"></label>`
