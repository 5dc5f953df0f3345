import type { Span } from '../../rates/zipcodes/areas.ts'

/** Zipcodes that lie in the same zones. Both ends have the length of the longest zone; they are empty for a place without a zipcode. */
export interface ZipCell {
  from: string
  to: string
}

/** No zipcode: the whole country, or a cart that knows none. */
const unknown: ZipCell = { from: '', to: '' }

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * Divides a country's zipcodes where a zone begins or ends, so that one zipcode speaks for each cell. The first cell is that of no zipcode.
 * Each place of a zipcode holds digits, letters or both, as the zones have them.
 */
export function zipCells(zones: readonly Span[]): ZipCell[] {
  if (zones.length === 0) return [unknown]
  const ends = zones.map(({ from, to }) => [from, to])
  const alphabets = alphabetsOf(ends.flat())
  const size = alphabets.reduce((product, { length }) => product * length, 1)
  const starts = new Set([0])
  for (const [from = '', to = ''] of ends) {
    starts.add(numberOf(from, alphabets, 'first'))
    starts.add(numberOf(to, alphabets, 'last') + 1)
  }
  const sorted = [...starts].filter((start) => start < size).sort((one, other) => one - other)
  const cells = sorted.map((start, at) => ({
    from: textOf(start, alphabets),
    to: textOf((sorted[at + 1] ?? size) - 1, alphabets),
  }))
  return [unknown, ...cells]
}

function alphabetsOf(texts: readonly string[]): string[] {
  const length = Math.max(...texts.map((text) => text.length))
  return Array.from({ length }, (_, at) => {
    const used = texts.map((text) => text[at] ?? '').join('')
    return (/ /.test(used) ? ' ' : '') + (/\d/.test(used) ? digits : '') + (/[A-Z]/.test(used) ? letters : '')
  })
}

/** The zipcode as a number that sorts as zipcodes do. A shorter one stands for the first or the last that begins with it. */
const numberOf = (text: string, alphabets: readonly string[], pad: 'first' | 'last'): number =>
  alphabets.reduce((number, alphabet, at) => {
    const letter = text[at]
    const padding = pad === 'first' ? 0 : alphabet.length - 1
    return number * alphabet.length + (letter === undefined ? padding : alphabet.indexOf(letter))
  }, 0)

function textOf(number: number, alphabets: readonly string[]): string {
  let text = ''
  let left = number
  for (const alphabet of alphabets.toReversed()) {
    text = alphabet[left % alphabet.length]! + text
    left = Math.floor(left / alphabet.length)
  }
  return text
}
