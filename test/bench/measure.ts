export const sorted = (list: readonly number[]): number[] => list.toSorted((one, other) => one - other)
export const median = (list: readonly number[]): number => sorted(list)[Math.floor(list.length / 2)]!
export const rounded = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

/** How many of them are done in a second. */
export async function perSecond(count: number, work: () => unknown): Promise<number> {
  const since = performance.now()
  await work()
  return (count / (performance.now() - since)) * 1_000
}

/** Prints the median of each list with its lowest and its highest. */
export function printSpreads(results: Record<string, readonly number[]>, unit: string, digits = 0): void {
  const shown = (value: number) => value.toFixed(digits)
  for (const [name, list] of Object.entries(results))
    console.log(
      `  ${name.padEnd(20)} ${shown(median(list)).padStart(7)} ${unit}   ${shown(Math.min(...list))} - ${shown(Math.max(...list))}`,
    )
}
