import { html } from 'hono/html'
import { countryCodes } from '../../adapters/table-rates/countries.ts'
import { languages } from '../../messages/live.ts'
import type { Html } from './layout.ts'

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

const allCountries = (): [string, string][] =>
  countryCodes()
    .map((code): [string, string] => [code, countryNames.of(code.toUpperCase()) ?? code])
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'))

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
