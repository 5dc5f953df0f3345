const second = 1000
const minute = 60 * second
const hour = 60 * minute

const steps = [0, 5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour]
const giveUpAfter = 14 * 24 * hour
const longestRetryAfter = 24 * hour

/**
 * When an owed notification is tried again after `tries` failed calls, in milliseconds from now: 5 s, 30 s, 2 min, 10 min,
 * 30 min, 1 h, 2 h, 4 h, then every 8 to 12 h. 20 % of jitter either way; a `Retry-After` that asks for longer is honoured
 * up to 24 h. `undefined` once it has been owed for 14 days: it is a dead letter.
 */
export function nextTry(options: {
  tries: number
  /** Milliseconds since it was first owed. */
  owedFor: number
  /** 0 to 1. */
  random: number
  /** Milliseconds the receiver asked for. */
  retryAfter?: number
}): number | undefined {
  const { tries, owedFor, random, retryAfter = 0 } = options
  if (owedFor >= giveUpAfter) return undefined
  const step = steps[tries]
  const wait = step === undefined ? 8 * hour + random * 4 * hour : step * (0.8 + random * 0.4)
  return Math.round(Math.max(wait, Math.min(retryAfter, longestRetryAfter)))
}

/** Reads a `Retry-After` header, seconds or a date, as milliseconds from `now`. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const checks = [minute, 5 * minute, 15 * minute]
const watchFor = 30

/**
 * When an open attempt is next asked for at its payment service, so that a push that never came heals itself: 1, 5 and 15 min
 * after it was opened, then hourly up to its expiry, at its expiry, then daily for 30 days. `undefined` after that.
 */
export function nextCheck(attempt: { openedAt: number; expiresAt: number }, now: number): number | undefined {
  const { openedAt, expiresAt } = attempt
  if (now >= expiresAt) {
    const days = Math.floor((now - expiresAt) / (24 * hour)) + 1
    return days > watchFor ? undefined : expiresAt + days * 24 * hour
  }
  const step = checks.find((after) => openedAt + after > now)
  const next = openedAt + (step ?? (Math.floor((now - openedAt) / hour) + 1) * hour)
  return Math.min(next, expiresAt)
}
