import Big from 'big.js'

/**
 * An exact decimal number as text, without exponent: at most 15 digits before the point and 10 after it. `readDecimal`
 * gives its one canonical form; amounts rounded to a currency keep that currency's zeros (`5.00`).
 */
export type Decimal = string

const written = /^([+-]?)0*(\d{1,15})(?:\.(\d*?)0*)?$/

// PHP writes 29.34 as 29.339999999999996 in some versions, and 30 / 1.21 as "24.793388429752": ten digits after the
// point are more than any price has, the rest is rounded away.
const MAX_FRACTION_DIGITS = 10
const MAX_WHOLE_DIGITS = 15

/**
 * Reads a number or a decimal string of at most 40 characters; `undefined` when it is neither, not finite or too large
 * to be exact. The result has no leading or trailing zeros and `-0` is `0`: equal numbers are equal strings.
 */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'number') {
    if (!(Math.abs(value) < 1e15)) return undefined
    const text = String(value)
    return text.length > 12 || text.includes('e')
      ? canonical(new Big(value).toFixed(MAX_FRACTION_DIGITS))
      : text
  }
  if (typeof value !== 'string' || value.length > 40) return undefined
  return plain(value) ?? canonical(value.trim())
}

const [zero, nine, point] = [48, 57, 46]

/**
 * Reads digits with at most one point, without a leading zero: nearly every figure is written so, and a pattern takes several times as
 * long. `undefined` for any other text.
 */
function plain(text: string): Decimal | undefined {
  const { length } = text
  let whole = length
  /** Without the zeros at the end of a fraction. */
  let end = 0
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === point && whole === length) whole = at
    else if (code < zero || code > nine) return undefined
    else if (whole === length || code !== zero) end = at + 1
  }
  const isRead =
    whole > 0 &&
    whole <= MAX_WHOLE_DIGITS &&
    (whole === 1 || text.charCodeAt(0) !== zero) &&
    length - whole - 1 <= MAX_FRACTION_DIGITS
  if (!isRead) return undefined
  return end === length ? text : text.slice(0, end)
}

function canonical(text: string): Decimal | undefined {
  const parts = written.exec(text)
  if (!parts) return undefined
  const [, sign, whole, fraction = ''] = parts
  if (fraction.length > MAX_FRACTION_DIGITS) {
    return canonical(new Big(`${sign === '-' ? '-' : ''}${whole}.${fraction}`).toFixed(MAX_FRACTION_DIGITS))
  }
  const digits = fraction === '' ? whole! : `${whole}.${fraction}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

/** Opens a decimal for exact arithmetic (`.plus`, `.times`, `.gt`, ...). Throws a `TypeError` for anything that is not a decimal. */
export function decimal(value: Decimal | number): Big {
  const read = readDecimal(value)
  if (read === undefined)
    throw new TypeError('decimal() takes a finite number or a decimal string such as "12.50"')
  return new Big(read)
}

export type { Big }
