import { html } from 'hono/html'
import { errorSummary, type Options, optionList } from '../../http/pages/parts/forms.ts'
import type { Html } from '../../http/pages/parts/frame.ts'
import { languages } from '../../messages/live.ts'
import { countryCodes } from '../../rates/files/cells.ts'

/** The rules that the fields of a form break, by the name of the field. */
export type Faults = Readonly<Record<string, string | undefined>>

interface Field {
  autocomplete?: string
  inputmode?: 'decimal' | 'numeric' | 'email' | 'tel' | undefined
}

/** The fields of one form. What is wrong with them stands beside each, and again in the list above the form. */
export class Fields {
  readonly errors: { field: string; words: string }[] = []
  readonly #form: string
  readonly #values: Readonly<Record<string, string>>
  readonly #faults: Faults

  /** `form` makes ids that differ from those of other forms on the page. */
  constructor(form: string, values: Readonly<Record<string, string>>, faults: Faults = {}) {
    this.#form = form
    this.#values = values
    this.#faults = faults
  }

  text(label: string, name: string, { autocomplete = 'off', inputmode }: Field = {}): Html {
    const keys = inputmode === undefined ? '' : html` inputmode="${inputmode}"`
    return this.#field(
      label,
      name,
      (named, wrong) =>
        html`<input ${named} value="${this.#values[name] ?? ''}" autocomplete="${autocomplete}"${keys}${wrong}>`,
    )
  }

  select(label: string, name: string, options: Options, autocomplete = 'off'): Html {
    const list = optionList(options, this.#values[name])
    return this.#field(
      label,
      name,
      (named, wrong) => html`<select ${named} autocomplete="${autocomplete}"${wrong}>${list}</select>`,
    )
  }

  country(name = 'country'): Html {
    return this.select('Country', name, allCountries(), 'country')
  }

  language(): Html {
    const named = languages.map((code) => [code, languageNames.of(code) ?? code] as const)
    return this.select('Language of the shop', 'language', named)
  }

  uses(...names: string[]): boolean {
    return names.some((name) => this.#values[name] || this.#faults[name])
  }

  #field(label: string, name: string, control: (named: Html, wrong: Html | string) => Html): Html {
    const id = `${this.#form}-${name}`
    const fault = this.#faults[name]
    const words = `${label} ${fault}.`
    if (fault !== undefined) this.errors.push({ field: id, words })
    const wrong = fault === undefined ? '' : html` aria-invalid="true" aria-describedby="${id}-fault"`
    return html`<div class="field"><label for="${id}">${label}</label>
${control(html`id="${id}" name="${name}"`, wrong)}${wrong && html`<small class="error" id="${id}-fault">${words}</small>`}</div>`
  }
}

export const refusal = (title: string, ...forms: readonly Fields[]): Html | string => {
  const errors = forms.flatMap((form) => form.errors)
  return errors.length === 0 ? '' : errorSummary(title, errors)
}

/** A choice among the shops of the platform, with words for none of them. A platform of one shop has no choice. */
export const shopChoice = (shops: readonly { id: number; title: string }[], none: string, chosen: string) =>
  shops.length < 2
    ? ''
    : html`<label>Shop <select name="shop"><option value="">${none}</option>${optionList(
        shops.map(({ id, title }) => [String(id), title]),
        chosen,
      )}</select></label>`

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
