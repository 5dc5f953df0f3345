import { html } from 'hono/html'
import { languages } from '../../messages/live.ts'
import { countryCodes } from '../../rates/files/cells.ts'
import type { Switch } from '../switches.ts'
import { messageBox } from './layout.ts'
import type { Html, Page } from './page.ts'

/** The rules that the fields of a form break, by the name of the field. */
export type Faults = Readonly<Record<string, string | undefined>>

interface Field {
  label: string
  name: string
  value: string
  /** Makes ids that differ from those of other forms on the page. */
  form?: string
  faults?: Faults | undefined
  autocomplete?: string
  inputmode?: 'decimal' | 'numeric' | 'email' | 'tel' | undefined
}

const idOf = ({ form, name }: Pick<Field, 'form' | 'name'>) => `${form ?? 'field'}-${name}`

/** The sentence beside a field: its label and the rule that it breaks. */
const sentence = ({ label, name, faults, form }: Omit<Field, 'value'>): Html | string =>
  faults?.[name] === undefined
    ? ''
    : html`<small class="faults" id="${idOf({ form: form!, name })}-fault">${label} ${faults[name]}.</small>`

const wrong = ({ name, faults, form }: Pick<Field, 'name' | 'faults' | 'form'>): Html | string =>
  faults?.[name] === undefined
    ? ''
    : html`aria-invalid="true" aria-describedby="${idOf({ form: form!, name })}-fault"`

export const textField = (field: Field): Html =>
  html`<div><label for="${idOf(field)}">${field.label}</label>
<input id="${idOf(field)}" name="${field.name}" value="${field.value}" autocomplete="${field.autocomplete ?? 'off'}" ${field.inputmode ? html`inputmode="${field.inputmode}"` : ''} ${wrong(field)}>${sentence(field)}</div>`

/** The entries of a choice: pairs of value and words. */
export const optionList = (options: readonly (readonly [value: string, words: string])[], chosen: unknown) =>
  options.map(
    ([value, words]) =>
      html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${words}</option>`,
  )

/** A choice among the shops of the platform, with words for none of them. A platform of one shop has no choice. */
export const shopChoice = (shops: readonly { id: number; title: string }[], none: string, chosen: string) =>
  shops.length < 2
    ? ''
    : html`<label>Shop <select name="shop"><option value="">${none}</option>${optionList(
        shops.map(({ id, title }) => [String(id), title]),
        chosen,
      )}</select></label>`

/** A choice. `options` are pairs of value and words. */
export const selectField = (field: Field & { options: readonly (readonly [string, string])[] }): Html =>
  html`<div><label for="${idOf(field)}">${field.label}</label>
<select id="${idOf(field)}" name="${field.name}" autocomplete="${field.autocomplete ?? 'off'}" ${wrong(field)}>${optionList(field.options, field.value)}</select>${sentence(field)}</div>`

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** Made for the first page with a form: to find all countries takes longer than the rest of the page. */
let countries: [string, string][] | undefined

function allCountries(): [string, string][] {
  countries ??= countryCodes()
    .map((code): [string, string] => [code, countryNames.of(code.toUpperCase()) ?? code])
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'))
  return countries
}

export const countrySelect = (
  value: string,
  { name = 'country', ...rest }: Partial<Pick<Field, 'form' | 'faults' | 'name'>> = {},
): Html =>
  selectField({ label: 'Country', name, value, autocomplete: 'country', options: allCountries(), ...rest })

export const languageSelect = (value: string, rest: Pick<Field, 'faults' | 'form'> = {}): Html =>
  selectField({
    label: 'Language of the shop',
    name: 'language',
    value,
    options: languages.map((code) => [code, languageNames.of(code) ?? code]),
    ...rest,
  })

export interface SwitchesView {
  switches: Switch[]
  /** Milliseconds since 1970. */
  now: number
  movesProviders: boolean
  message?: string
}

const moves = { '10m': '10 minutes', '2h': '2 hours', '1d': 'A day', '1month': 'A month' }

export const switchesPage = ({ switches, now, movesProviders, message }: SwitchesView): Page => ({
  title: 'Switches',
  content: html`${messageBox(message)}
<p class="hint">Habits of live platforms beyond the contract, and faults on the way. Changes apply from the next call on.</p>
<section class="card"><h2>The clock</h2>
<p>It is <strong>${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC</strong> in the shop.
${movesProviders ? 'The provider moves with it.' : 'The provider keeps its own time: only one that runs under purveyor dev or simulate moves with it.'}</p>
<form method="post" action="/clock"><div class="row">${Object.entries(moves).map(([by, words]) => html`<button class="quiet" name="by" value="${by}">${words} forward</button>`)}</div></form></section>
<section class="card"><h2>Habits and faults</h2>
<form method="post" action="/switches">
<div class="columns">${switches.map(switchField)}</div>
<div class="row"><button>Set the switches</button><button class="quiet" name="reset" value="1">Restore the defaults</button></div>
</form></section>`,
})

const switchField = ({ name, title, value, values }: Switch): Html => html`<label>${title}
<select name="${name}">${optionList(Object.entries(values), value)}</select></label>`
