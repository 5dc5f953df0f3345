import { InvalidArgumentError } from 'commander'
import { bothServed } from '../contract/served.ts'
import { isCurrency } from '../money/iso-4217.ts'
import { isDay } from '../rates/zoned-time.ts'
import { oneOf, parsed } from './table.ts'

// Each reads the value of an option. For an invalid value it says what the option takes.

export function port(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= 65535) return number
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535; 0 takes a free one.')
}

export function httpsUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('An https address, such as https://my-tunnel.example.')
}

export function count(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A whole number from 1 on.')
}

export function workers(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= 64) return Number(text)
  throw new InvalidArgumentError('A whole number from 1 to 64; the number of cores is a good choice.')
}

export function hours(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A whole number of hours, 0 or more.')
}

export function decimal(text: string): string {
  if (/^\d{1,12}(\.\d{1,4})?$/.test(text)) return text
  throw new InvalidArgumentError('A decimal with a point, such as 49.95.')
}

/** A fraction below 1. */
export function taxRate(text: string): string {
  if (/^0(\.\d{1,4})?$/.test(text)) return text
  throw new InvalidArgumentError('A fraction below 1: 0.21 is 21 %.')
}

/** The code of a currency, in lower case. */
export function currency(text: string): string {
  if (isCurrency(text)) return text.toLowerCase()
  throw new InvalidArgumentError('A code of ISO 4217, such as eur.')
}

/** A day of the calendar. */
export function day(text: string): string {
  if (isDay(text)) return text
  throw new InvalidArgumentError('A day, such as 2026-12-31.')
}

/** One or several of some words. `any` is all of them, `none` is none. */
export const listOf =
  <Word extends string>(...words: readonly Word[]) =>
  (text: string): readonly Word[] => {
    if (text === 'any') return words
    if (text === 'none') return []
    const named = text.split(',').map((word) => word.trim())
    if (named.every((word): word is Word => (words as readonly string[]).includes(word))) return named
    throw new InvalidArgumentError(`Some of ${words.join(',')}, or any, or none.`)
  }

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time, given the time that the processes of the store share. Both are in milliseconds since 1970. */
export type Moment = (now: number) => number

/** `30m`, `2h` and `7d` ago, or a date. A machine's own clock may be wrong, so the command counts from the time of its store. */
export function moment(text: string): Moment {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (unit) return (now) => now - Number(number) * units[unit]!
  const at = isoMoment(text)
  if (at !== undefined) return () => at
  throw new InvalidArgumentError('A time is 30m, 2h or 7d ago, or a date such as 2026-03-02T10:00Z.')
}

/** A time with its zone, in milliseconds since 1970. */
export function instant(text: string): number {
  const at = /(Z|[+-]\d{2}:\d{2})$/.test(text) ? isoMoment(text) : undefined
  if (at !== undefined) return at
  throw new InvalidArgumentError('A time with its zone, such as 2026-12-24T16:30+01:00.')
}

/** A date in the order of ISO 8601, at midnight UTC where no time is named. Other orders are ambiguous. */
function isoMoment(text: string): number | undefined {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  const exists = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  const at = exists ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

// Options and arguments that several commands share.

export const json = { '--json': 'print one JSON value' }
export const readyAsJson = { '--json': 'print the ready line as JSON' }
export const onlyShop = { '--shop <id>': 'only this shop' }
export const shopOfOrder = { '--shop <id>': 'the shop of the order; default: the one that has it' }
export const limit = { '--limit <number>': parsed('maximum number of lines', count, { default: 50 }) }
export const provider = { '--provider <file>': 'default: provider.ts or src/provider.ts' }
export const place = {
  '--country <code>': 'where the customers live; default: nl',
  '--zipcode <zipcode>': 'their zipcode; default: an example of the country',
  '--currency <code>': parsed('currency of the shop; default: eur', currency),
}
export const dryRun = { '--dry-run': 'show what would change, and change nothing' }
export const seed = {
  '--seed <path>': 'records of the shop: a file such as products.json, or a folder of them or of a recording',
}
export const yes = { '-y, --yes': 'ask no questions' }

/** `--for`: rates, payments, or both. */
export const servedOption = (description: string) => oneOf(`${description}; default: both`, bothServed)

/** The names that one payment has, for a command about it. */
export const paymentName =
  'order id or number, reference, event of the service, attempt id, amount or page token'
