/** The value of a text in JSON; `undefined` for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a `Retry-After` header, seconds or a date, as milliseconds from `now`. */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const given = header?.trim()
  if (!given) return undefined
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
