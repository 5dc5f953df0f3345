import { html } from 'hono/html'
import { wrongCall } from '../../errors/errors.ts'
import type {
  Choice,
  Field,
  FieldKind,
  FormState,
  HostedPlace,
  PageContent,
  PageForm,
} from '../../payments/pages/page-form.ts'
import { errorSummary } from './parts/forms.ts'
import { isolated, type TextKey } from './texts.ts'

interface Kind {
  type?: 'email' | 'tel'
  autocomplete: string
  inputmode?: 'numeric' | 'email' | 'tel'
  maxLength?: number
  /** Codes are no words: a phone neither corrects nor capitalises them. */
  code?: boolean
  hint?: boolean
}

const kinds: Record<FieldKind, Kind> = {
  text: { autocomplete: 'off' },
  name: { autocomplete: 'name', maxLength: 100 },
  email: { type: 'email', autocomplete: 'email', inputmode: 'email', maxLength: 254, code: true },
  phone: { type: 'tel', autocomplete: 'tel', inputmode: 'tel', maxLength: 30 },
  iban: { autocomplete: 'off', maxLength: 42, code: true, hint: true },
  cardNumber: { autocomplete: 'cc-number', inputmode: 'numeric', maxLength: 23, code: true },
  cardExpiry: { autocomplete: 'cc-exp', inputmode: 'numeric', maxLength: 7, code: true, hint: true },
  cardCode: { autocomplete: 'cc-csc', inputmode: 'numeric', maxLength: 4, code: true, hint: true },
  cardName: { autocomplete: 'cc-name', maxLength: 100 },
}

/** Members that are text. A field may be named `constructor`. */
const ownTexts = (given: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(given ?? {}).filter(([, text]) => typeof text === 'string')),
  )

const isOfCard = (kind: FieldKind): boolean => kind.startsWith('card')

/**
 * Builds the parts of a form: each field with its label, its hint, and its error where a reader of the screen finds it. All text is
 * escaped, and isolated. `text` looks up keys, in the language of the page; what is no key is shown as it is.
 */
export class HtmlForm implements PageForm {
  readonly #text: (key: string) => ReturnType<typeof isolated>
  readonly #state: FormState
  /** The fields in their order, each with its label and its words for `required`. */
  readonly #fields = new Map<string, { label: string; required?: TextKey }>()

  constructor(text: (key: string) => string, state: FormState | null = {}) {
    this.#text = (key) => isolated(text(key))
    this.#state = { values: ownTexts(state?.values), errors: ownTexts(state?.errors) }
  }

  field({ name, kind = 'text', required = true, ...given }: Field): PageContent {
    if (!Object.hasOwn(kinds, kind))
      throw wrongCall(`form.field("${name}"): kind must be one of ${Object.keys(kinds).join(', ')}`)
    if (kind === 'text' && given.label === undefined)
      throw wrongCall(`form.field("${name}"): a field of kind text needs a label`)
    const { type = 'text', autocomplete, inputmode, code, ...more } = kinds[kind]
    const hint = given.hint ?? (more.hint ? `${kind}Hint` : undefined)
    const maxLength = given.maxLength ?? more.maxLength
    const value = isOfCard(kind) ? undefined : this.#state.values?.[name]
    const about =
      hint === undefined ? '' : html`<span class="hint" id="${name}-hint">${this.#text(hint)}</span>`
    const label = given.label ?? kind
    const optional = required ? '' : html` <span class="hint">(${this.#text('optional')})</span>`
    const input = html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${inputmode === undefined ? '' : html` inputmode="${inputmode}"`}${maxLength === undefined ? '' : html` maxlength="${maxLength}"`}${code ? html` autocapitalize="off" autocorrect="off" spellcheck="false" dir="ltr"` : ''}${required ? html` required` : ''}${value === undefined ? '' : html` value="${value}"`}${this.#described(name, hint)}>`
    return html`<div class="field"><label for="${name}">${this.#text(label)}${optional}</label>${about}${this.#errorOf(name, { label })}${input}</div>`
  }

  row(...fields: PageContent[]): PageContent {
    return html`<div class="pair">${fields as never[]}</div>`
  }

  radios({ name, label, choices }: { name: string; label: string; choices: readonly Choice[] }): PageContent {
    const chosen = this.#state.values?.[name]
    const rows = choices.map(
      ({ value, label: words, icon }, at) =>
        html`<label class="choice"><input type="radio"${at === 0 ? html` id="${name}"` : ''} name="${name}" value="${value}" required${value === chosen ? html` checked` : ''}${this.#described(name)}><span>${isolated(words)}</span>${icon === undefined ? '' : html`<img src="${icon}" alt="" width="40" height="26" loading="lazy">`}</label>`,
    )
    return html`<fieldset class="field"><legend>${this.#text(label)}</legend>${this.#errorOf(name, { label, required: 'requiredChoice' })}<div class="choices">${rows}</div></fieldset>`
  }

  checkbox({ name, label, required = false }: Parameters<PageForm['checkbox']>[0]): PageContent {
    const checked = this.#state.values?.[name] === 'on'
    return html`<div class="field">${this.#errorOf(name, { label, required: 'requiredBox' })}<label class="choice"><input type="checkbox" id="${name}" name="${name}"${required ? html` required` : ''}${checked ? html` checked` : ''}${this.#described(name)}><span>${this.#text(label)}</span></label></div>`
  }

  hosted({ name, label, rows = 1, data = {} }: HostedPlace): PageContent {
    const given = Object.entries(data).map(([key, value]) => html` data-${key}="${value}"`)
    const error = this.#state.errors?.[name]
    const missing = this.#text('hostedMissing')
    const described = error === undefined ? '' : html` aria-describedby="${name}-error"`
    // A form that came without these fields says so at once.
    this.#fields.set(name, { label })
    const about =
      error === 'hostedMissing'
        ? html`<p class="late now error" id="${name}-error">${missing}</p>`
        : html`<p class="late" role="status">${missing}</p>${this.#errorOf(name, { label })}`
    return html`<div class="field"><span class="label" id="${name}-label">${this.#text(label)}</span><div class="hosted rows-${rows}" id="${name}" role="group" tabindex="-1" aria-labelledby="${name}-label"${described}${given}></div>${about}</div>`
  }

  whole({ button, parts }: { button: string; parts: readonly PageContent[] }): PageContent {
    return html`${this.#summary()}<form method="post" novalidate>${parts as never[]}<button>${this.#text(button)}</button></form>`
  }

  /** The faults: those of no field are about the whole form, and come first. */
  #summary() {
    const errors = Object.entries(this.#state.errors ?? {})
    if (errors.length === 0) return ''
    const ofForm = errors.filter(([name]) => !this.#fields.has(name)).map(([, error]) => this.#text(error))
    const [title = this.#text('formFaults'), ...more] = ofForm
    const ofFields = [...this.#fields].flatMap(([field, { label }]) => {
      const error = this.#state.errors?.[field]
      if (error === undefined) return []
      // Words that fit every field come with its label.
      const about = error === 'required' || error === 'invalid' ? html`${this.#text(label)}: ` : ''
      return [{ field, words: html`${about}${this.#wordsOf(field, error)}` }]
    })
    return errorSummary(title, [...more.map((words) => ({ words })), ...ofFields])
  }

  #errorOf(name: string, field: { label: string; required?: TextKey }) {
    this.#fields.set(name, field)
    const error = this.#state.errors?.[name]
    return error === undefined
      ? ''
      : html`<span class="error" id="${name}-error">${this.#wordsOf(name, error)}</span>`
  }

  #wordsOf(name: string, error: string) {
    return this.#text((error === 'required' && this.#fields.get(name)?.required) || error)
  }

  /** Ties hint and error to their field. */
  #described(name: string, hint?: string) {
    const isWrong = this.#state.errors?.[name] !== undefined
    const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(isWrong ? [`${name}-error`] : [])]
    return html`${ids.length === 0 ? '' : html` aria-describedby="${ids.join(' ')}"`}${isWrong ? html` aria-invalid="true"` : ''}`
  }
}
