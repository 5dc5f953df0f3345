const second = 1000
const minute = 60 * second
const hour = 60 * minute

const steps = [0, 5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour]
const giveUpAfter = 14 * 24 * hour
const longestRetryAfter = 24 * hour

/** 20 % of jitter either way, so that calls that failed together are not retried together. `random` is from 0 to 1. */
const spread = (wait: number, random: number): number => wait * (0.8 + random * 0.4)

/**
 * When an owed webhook is tried again after `tries` failed calls, in milliseconds from now. The waits are 5 s, 30 s, 2 min, 10 min,
 * 30 min, 1 h, 2 h and 4 h, then 8 to 12 h. Each has 20 % of jitter either way. A longer `Retry-After` counts up to 24 h. `undefined` once the
 * webhook has been owed for 14 days: it is a dead letter.
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
  const wait = step === undefined ? 8 * hour + random * 4 * hour : spread(step, random)
  return Math.round(Math.max(wait, Math.min(retryAfter, longestRetryAfter)))
}

/** How long a shop may take to read the status after a webhook, in milliseconds. Then it is called again. */
export const remindAfter = 15 * minute
const reminders = [remindAfter, hour, 6 * hour]
const remindDays = 7
/** How long an unread webhook is counted, in milliseconds after it was accepted. */
export const countUnreadFor = 30 * 24 * hour

/**
 * When a webhook is delivered again that the shop accepted without reading the status. That is 15 min, 1 h and 6 h after it was accepted,
 * then daily for a week. Later it is the time from which the webhook is no longer counted.
 */
export function nextReminder(acceptedAt: number, now: number): number {
  const step = reminders.find((after) => acceptedAt + after > now)
  if (step !== undefined) return acceptedAt + step
  const days = Math.floor((now - acceptedAt) / (24 * hour)) + 1
  return acceptedAt + (days > remindDays ? countUnreadFor : days * 24 * hour)
}

// While its service may be failing, which its lane knows after four failures, a push waits for no longer than a customer would.
const pushSteps = [5 * second, 30 * second, 30 * second, 30 * second, 2 * minute, 10 * minute]
const longestPushWait = 30 * minute
/** How long a push waits for a payment service that fails, or for the payment that it names, in milliseconds. */
export const keepPushFor = 72 * hour

/**
 * When a push that could not be processed is tried again, in milliseconds from now. The waits are 5 s, three times 30 s, 2 min and 10 min,
 * then 30 min. Each has 20 % of jitter either way. `undefined` once it is three days old.
 */
export function nextPushTry(options: { tries: number; age: number; random: number }): number | undefined {
  const { tries, age, random } = options
  if (age >= keepPushFor) return undefined
  return Math.round(spread(pushSteps[tries - 1] ?? longestPushWait, random))
}

const checks = [minute, 5 * minute, 15 * minute]
const watchFor = 30

/**
 * When an open attempt is next checked at its payment service, so that a lost push does not matter. That is 1, 5 and 15 min after it was
 * opened, hourly up to its expiry, at its expiry, and daily for 30 days. `undefined` after that.
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
