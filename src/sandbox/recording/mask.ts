// Replaces the personal data of a call in a file. The same value gets the same substitute throughout a recording, and empty values stay
// empty.

const parts = new Set(['customer', 'billing_address', 'shipping_address'])
/** Fields of these parts that are not personal. */
const kept = new Set(['country', 'type', 'sameaddress'])
const addresses = new Set(['redirect_url', 'webhook_url', 'payment_url'])

/** Replaces the personal data of the calls of one recording. */
export class Mask {
  readonly #standIns = new Map<string, string>()

  /** A message with everything personal replaced. Lists and objects keep their shape. */
  message(value: unknown): unknown {
    return this.#walk(value, '', false)
  }

  /** The same for an answer: replaces every personal value of the earlier requests. */
  answer(value: unknown): unknown {
    if (typeof value === 'string') {
      let text = value
      for (const [original, standIn] of this.#standIns)
        if (original.length > 2) text = text.replaceAll(original, standIn)
      return text
    }
    if (Array.isArray(value)) return value.map((inner) => this.answer(inner))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        addresses.has(key) && inner ? addressOf(key) : this.answer(inner),
      ]),
    )
  }

  #walk(value: unknown, key: string, personal: boolean): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.#walk(inner, key, personal))
    if (typeof value === 'object' && value !== null) {
      // The customer's data for a method may be anything, so all of it is replaced.
      const isPersonal = (name: string) =>
        personal || parts.has(name) || (key === 'payment_method' && name === 'data')
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, this.#walk(inner, name, isPersonal(name))]),
      )
    }
    if (addresses.has(key) && value) return addressOf(key)
    if (!personal || kept.has(key) || value === '' || value === null || typeof value === 'boolean')
      return value
    return typeof value === 'number' ? this.#number(value) : this.#standIn(key, String(value))
  }

  #number(value: number): number {
    this.#standIns.set(String(value), '1')
    return 1
  }

  #standIn(key: string, value: string): string {
    const known = this.#standIns.get(value)
    if (known !== undefined) return known
    const made = standInOf(key, value, this.#standIns.size + 1)
    this.#standIns.set(value, made)
    return made
  }
}

function standInOf(key: string, value: string, number: number): string {
  if (key === 'email') return `person${number}@customer.example`
  if (key === 'birthdate') return /^\d{4}-/.test(value) ? '1970-01-01' : '0'
  if (key === 'gender') return 'female'
  // Rates depend on it, so its beginning stays: a town or a quarter, not an address.
  if (key === 'zipcode') return value.slice(0, 4) + value.slice(4).replace(/\d/g, '0').replace(/[a-z]/gi, 'A')
  if (/^[\d+ ()-]+$/.test(value)) return value.replace(/\d/g, '0')
  return `${key || 'value'} ${number}`
}

const addressOf = (key: string) => `https://shop.example/${key}`
