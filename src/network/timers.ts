/** Calls back after `ms`; the returned function takes the call back. Never keeps the process alive. */
export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
