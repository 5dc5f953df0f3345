import { isIcon } from '../../contract/icons.ts'
import { decimal, readDecimal } from '../../money/index.ts'
import type { Message } from '../target.ts'

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
  is_pickup: ({ is_pickup: flag }) => isFlag(flag),
  is_servicepoint: ({ is_servicepoint: flag }) => isFlag(flag),
  is_cash_on_delivery: ({ is_cash_on_delivery: flag }) => isFlag(flag),
  post_payment: ({ post_payment: flag }) => isFlag(flag),
  invoice_external: ({ invoice_external: flag }) => isFlag(flag),
  icon: ({ icon }) => isNone(icon) || icon === '' || (typeof icon === 'string' && isIcon(icon)),
  data: ({ data }) =>
    isNone(data) || (typeof data === 'object' && (!Array.isArray(data) || data.length === 0)),
}
