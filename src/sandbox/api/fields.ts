import { isNoData } from '../../contract/plain-read.ts'
import { jsonIn } from '../../contract/texts.ts'
import { decimal, isCurrency, readDecimal } from '../../money/index.ts'
import { singularOf } from '../../platform/resource.ts'
import { endpointFault } from '../state.ts'
import { apiLanguages, countryOf, languageOf } from './languages.ts'
import { idIn, isObject, timestamp } from './records.ts'

/** The kind of a value. A record keeps a relation as an id and a country as a code; a seed may hold each as a live shop answers it. */
type Kind = keyof typeof readers

export interface Field {
  kind: Kind
  /** The value of a record that says nothing about it. */
  empty: unknown
  /** The resource of a relation; the address of a list, with `{id}` for the id of the record. */
  of: string
  words: readonly string[]
  /** It follows from others: what a client sends for it is ignored. */
  readonly: boolean
  /** It is written, and shown elsewhere: the price of a product is shown by its variant. */
  hidden: boolean
  required: boolean
  /** It selects the records of a list by equality. */
  filter: boolean
}

export type Fields = Readonly<Record<string, Field>>

/** Of any other kind: empty text. */
const empties: Partial<Record<Kind, unknown>> = {
  ...{ flag: false, whole: 0, decimal: 0, time: false, date: false, country: false, one: false },
  ...{ language: 'en', currency: 'eur', data: {} },
}

/**
 * The fields of a resource from text such as `number!#, title*, sortOrder:whole=1`. Behind a name, `!` marks a field that follows from
 * others, `?` one that is written and shown elsewhere, `*` one that a new record needs, and `#` one that selects the records of a list.
 * Then comes its kind; without one it is text. Behind `=` stands its value where a record says nothing; that of a
 * choice is the first of its words. A relation has its resource there. `below` is the list at the record's own address, and `naming` the
 * list of the records that name it.
 */
export const fieldsOf = (path: string, text: string): Fields =>
  Object.fromEntries(text.split(/,\s+/).map((one) => fieldOf(path, one.trim())))

function fieldOf(path: string, text: string): [string, Field] {
  const [, name = '', marks = '', kind = 'text', given] = /^(\w+)([!?*#]*)(?::(\w+))?(?:=(.*))?$/.exec(text)!
  const is = (mark: string) => marks.includes(mark)
  const marked = { of: '', readonly: is('!'), hidden: is('?'), required: is('*'), filter: is('#'), words: [] }
  const list = (of: string): Field => ({ ...marked, kind: 'many', empty: false, of, readonly: true })
  if (kind === 'many') return [name, list(given!)]
  if (kind === 'below') return [name, list(`${path}${path === singularOf(path) ? '' : '/{id}'}/${name}`)]
  if (kind === 'naming') return [name, list(`${given ?? name}?${singularOf(path)}={id}`)]
  const field = { ...marked, kind: kind as Kind, empty: empties[kind as Kind] ?? '' }
  if (given === undefined) return [name, field]
  if (kind === 'one') return [name, { ...field, of: given }]
  const words = given.split('|')
  if (kind === 'choice') return [name, { ...field, words, empty: words[0] }]
  const isJson = given === 'false' || given === 'null' || /^(flag|whole|decimal|data)$/.test(kind)
  return [name, { ...field, empty: isJson ? jsonIn(given) : given }]
}

export const prefixed = (kind: string, fields: string): string =>
  fields.replaceAll(/(^|,\s+)(?=\w)/g, `$1${kind}`)

export const allHidden = (fields: string): string => fields.replaceAll(/(^|,\s+)(\w+)/g, '$1$2?')

export type Exists = (resource: string, id: number) => boolean

/** A value in the form that the sandbox keeps, or why it has none, such as `must be a number`. */
export type Read = { value: unknown } | { fault: string }

const isNone = (value: unknown) => isNoData(value) || value === 0 || value === '0' || value === 'false'

/** The code in `nl`, `{ "code": "nl" }` or `{ "id": 32 }`. */
export const codeIn = (value: unknown): unknown => (isObject(value) ? (value.code ?? value.id) : value)

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number'
const textRead = (value: unknown): Read =>
  isText(value) ? { value: String(value) } : { fault: 'must be text' }
const any = (value: unknown): Read => ({ value })
const code =
  (find: (given: unknown) => { code: string } | undefined, fault: string) =>
  (value: unknown): Read => {
    const found = find(codeIn(value))
    return found ? { value: found.code } : { fault }
  }

export const notNumber = 'must be a number'

function figure(value: unknown, { kind }: Field): Read {
  const given = readDecimal(typeof value === 'string' ? value.trim() : value)
  if (given === undefined || !Number.isFinite(Number(given))) return { fault: notNumber }
  const number = Number(decimal(given).toFixed(4))
  const fits = kind === 'decimal' || (Number.isSafeInteger(number) && !given.includes('.'))
  return fits ? { value: number } : { fault: 'must be a whole number' }
}

const moment =
  (written: (at: number) => string, example: string) =>
  (value: unknown): Read => {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
    return Number.isNaN(at) ? { fault: `must be ${example}` } : { value: written(at) }
  }

const isAddress = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Reads what a client sent: JSON values, or the text of a form. No data never comes here, but for a flag and a relation. */
const readers = {
  text: textRead,
  /** An address. One of this shop has a path alone. */
  link: textRead,
  flag: (value: unknown): Read => {
    if (isNone(value)) return { value: false }
    const isSet = value === true || value === 1 || value === '1' || value === 'true'
    return isSet ? { value: true } : { fault: 'must be true or false' }
  },
  whole: figure,
  decimal: figure,
  choice: (value: unknown, { words }: Field): Read =>
    words.includes(String(value))
      ? { value: String(value) }
      : { fault: `must be one of ${words.filter((word) => word !== '').join(', ')}` },
  time: moment(timestamp, 'a time, such as 2026-03-02T10:00:00+01:00'),
  date: moment((at) => timestamp(at).slice(0, 10), 'a date, such as 1990-03-02'),
  /** An object with `id`, `code` and `title`. */
  country: code(countryOf, 'must be a country of the shop, such as nl'),
  language: code(
    languageOf,
    `must be a language of the shop: ${apiLanguages.map((one) => one.code).join(', ')}`,
  ),
  /** An object with `shortcode`. */
  currency(value: unknown): Read {
    const code = String(isObject(value) ? value.shortcode : value).toLowerCase()
    return isCurrency(code) ? { value: code } : { fault: 'must be a code such as eur' }
  },
  one(value: unknown, { of }: Field, exists: Exists): Read {
    if (isNone(value) || (isObject(value) && isNone(value.id ?? value.resource))) return { value: false }
    const id = idIn(value)
    return exists(of, id) ? { value: id } : { fault: `must be the id of a record of ${of}` }
  },
  /** An https address; http for this machine only. */
  endpoint(value: unknown): Read {
    const fault = typeof value === 'string' ? endpointFault(value) : 'must be an https address'
    return fault === undefined ? { value } : { fault }
  },
  /** An address, which is written and never shown. */
  upload: (value: unknown): Read =>
    typeof value === 'string' && isAddress(value) ? { value } : { fault: 'must be the address of a file' },
  many: any,
  data: any,
}

const readsNothing: readonly Kind[] = ['flag', 'one', 'endpoint', 'upload', 'currency', 'data']

export const readField = (field: Field, value: unknown, exists: Exists): Read =>
  isNoData(value) && !readsNothing.includes(field.kind)
    ? { value: field.empty }
    : readers[field.kind](value, field, exists)

/** A kept value as text, by which a list is filtered: the code of a country, the id of a relation. */
export function plainOf({ kind }: Field, value: unknown): string {
  const text = String(kind === 'country' || kind === 'language' ? codeIn(value) : value).toLowerCase()
  if (kind === 'flag') return { 1: 'true', 0: 'false' }[text] ?? text
  return kind === 'one' && isObject(value) ? String(idIn(value)) : text
}

/** The parts of a caller's address that links repeat: `https://host/api` and `nl`. */
export interface Asked {
  base: string
  language: string
}

/** A kept value as the API shows it. What was seeded in a live form stays as it is, with links of this shop. */
export function shownField(field: Field, value: unknown, id: number, asked: Asked): unknown {
  const { kind, of } = field
  if (kind === 'country') return countryOf(value) ?? value
  if (kind === 'language') return languageOf(value) ?? value
  if (kind === 'currency') return typeof value === 'string' ? currencyOf(value) : value
  if (kind === 'link' && String(value).startsWith('/')) return new URL(String(value), asked.base).href
  if (kind === 'one' && typeof value === 'number') return linked({ id: value, url: `${of}/${value}` }, asked)
  if (kind === 'many' && value === undefined)
    return linked({ id: false, url: of.replace('{id}', String(id)) }, asked)
  if ((kind === 'one' || kind === 'many') && isObject(value) && isObject(value.resource))
    return { ...value, ...linked(value.resource, asked) }
  return value
}

function linked(resource: Record<string, unknown>, { base, language }: Asked) {
  const [path, query] = String(resource.url).split('?')
  const link = `${base}/${language}/${path}.json${query === undefined ? '' : `?${query}`}`
  return { resource: resource.url === undefined ? resource : { ...resource, link } }
}

function currencyOf(shortcode: string) {
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency: shortcode }).formatToParts(0)
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? ''
  const title = new Intl.DisplayNames('en', { type: 'currency' }).of(shortcode.toUpperCase())
  return { id: 1, shortcode, title, symbol }
}
