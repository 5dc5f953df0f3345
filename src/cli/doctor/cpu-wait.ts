/** How often the process looks whether it runs, and a delay that is usual, in milliseconds. */
const tick = 10
const usual = 5

/**
 * Does the work, and resolves with the time in which this process had something to do and got no CPU, in milliseconds: on a busy machine an
 * answer from outside is read later than it came. Short waits and the CPU time that the process used itself do not count.
 */
export async function withCpuWait<T>(work: () => Promise<T>): Promise<{ result: T; waited: number }> {
  const used = process.cpuUsage()
  let [last, late] = [performance.now(), 0]
  const look = () => {
    const now = performance.now()
    const gap = now - last - tick
    if (gap > usual) late += gap
    last = now
  }
  const timer = setInterval(look, tick)
  try {
    const result = await work()
    look()
    const { user, system } = process.cpuUsage(used)
    return { result, waited: Math.max(0, Math.round(late - (user + system) / 1_000)) }
  } finally {
    clearInterval(timer)
  }
}
