import { html } from 'hono/html'
import type { Content, Html } from './frame.ts'

export type Options = readonly (readonly [value: string, words: string])[]

export const optionList = (options: Options, chosen: unknown) =>
  options.map(
    ([value, words]) =>
      html`<option value="${value}"${value === chosen ? ' selected' : ''}>${words}</option>`,
  )

/** A form that changes what a list shows. Its state is the address, so that it can be sent to others. `clear` is the address without filters. */
export const filters = (action: string, label: string, fields: Content, clear: string): Html =>
  html`<form method="get" action="${action}" role="search" aria-label="${label}" class="filters">${fields as never}<button class="small">Filter</button><a href="${clear}">Clear</a></form>`

/** The search on top of a page. `more` are the fields of a search that is narrowed already. */
export const search = (
  action: string,
  words: { label: string; hint: string; value: string },
  more: Content = '',
): Html =>
  html`<form class="search" role="search" action="${action}">${more as never}<label class="unseen" for="q">${words.label}</label><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg><input id="q" name="q" type="search" value="${words.value}" placeholder="${words.hint}" maxlength="200" autocomplete="off"><kbd aria-hidden="true">/</kbd></form>`

/**
 * All that is wrong with a form, above it: each line says the same as the words beside its field and leads to it. A line without a field is
 * about the form. It is read out at once, and gets the focus.
 */
export const errorSummary = (title: Content, errors: readonly { field?: string; words: Content }[]): Html =>
  html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>${title as never}</h2>${errors.length === 0 ? '' : html`<ul>${errors.map(({ field, words }) => html`<li>${field === undefined ? (words as never) : html`<a href="#${field}">${words as never}</a>`}</li>`)}</ul>`}</div>`
