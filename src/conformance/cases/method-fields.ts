import { isIcon } from '../../contract/icons.ts'
import type { Message } from '../../messages/exact.ts'
import { decimal, readDecimal } from '../../money/index.ts'
import { flags } from '../../sandbox/calls/answers.ts'
import { Exchange } from '../exchange.ts'

/** Whether it is a decimal of 0 or more, as a number or as text. */
export function isAmount(value: unknown): boolean {
  const read = readDecimal(value)
  return read !== undefined && !read.startsWith('-')
}

export const isNone = (value: unknown): boolean => value === undefined || value === null

const isFlag = (value: unknown) => [undefined, true, false, 0, 1].includes(value as undefined)

/** Fields of a method that have a rule, and so a case, of their own. */
export const fieldRules: Readonly<Record<string, (method: Message) => boolean>> = {
  id: ({ id }) => (typeof id === 'string' && id !== '') || Number.isSafeInteger(id),
  title: ({ title }) => typeof title === 'string' && title.trim() !== '',
  tax_rate: ({ tax_rate: rate }) =>
    rate === undefined || (isAmount(rate) && decimal(readDecimal(rate)!).lte(1)),
  ...Object.fromEntries(flags.map((name) => [name, (method: Message) => isFlag(method[name])])),
  icon: ({ icon }) => isNone(icon) || icon === '' || (typeof icon === 'string' && isIcon(icon)),
  data: ({ data }) =>
    isNone(data) || (typeof data === 'object' && (!Array.isArray(data) || data.length === 0)),
}

/** Text may be empty (spec 2.5 address). */
const texts = ['description', 'address', 'icon']

/** The name of a field that is there and has no data: '', null or false, as platforms write it (spec 2.4). */
export const fieldWithoutData = (method: Message): string | undefined =>
  Object.keys(method).find((name) => isWithoutData(name, method[name]))

const isWithoutData = (name: string, value: unknown): boolean =>
  !['id', 'title'].includes(name) &&
  (value === null ||
    (value === '' && !texts.includes(name)) ||
    (value === false && !flags.some((flag) => flag === name)))

/** An answer whose list has no such fields. The contract says nothing about them in answers, so they break no other rule. */
export function withoutEmptyFields(exchange: Exchange, key: string): Exchange {
  const list = exchange.fields[key]
  const shorter = Object.entries(list).map(([place, method]) => [place, shortened(method)] as const)
  const shown = Array.isArray(list) ? list.map(shortened) : Object.fromEntries(shorter)
  return new Exchange({ ...exchange, json: { ...exchange.fields, [key]: shown } })
}

const shortened = (method: unknown): unknown =>
  typeof method === 'object' && method !== null && !Array.isArray(method)
    ? Object.fromEntries(Object.entries(method).filter(([name, value]) => !isWithoutData(name, value)))
    : method
