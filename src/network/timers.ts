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
