/** Calls back after `ms`. The returned function cancels it. Never keeps the process alive. */
export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}

/** The longest interval of Node, in milliseconds. */
const forever = 2 ** 31 - 1

/** Keeps the process alive until the promise settles, because the timers above do not. */
export function keepAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, forever)
  return promise.finally(() => clearInterval(timer))
}

/** Waits for the work, at most until the signal. The work itself continues. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
