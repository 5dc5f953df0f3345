import { hasCode } from '../../errors.ts'
import type { AdapterFile } from '../../rates/adapter-files.ts'
import type { AnyRateAdapter, Workings } from '../workings.ts'
import { withFallbacks } from './with-fallbacks.ts'

/** In milliseconds. A file that is written in its place is in use after two looks. */
const lookEvery = 1_000

/** Makes every rate adapter look for changed files. Resolves with the milliseconds until the next look. */
export async function watchFiles({ rates, world }: Workings): Promise<number> {
  const { log } = world
  await Promise.all(withFallbacks(rates).map(async ({ files }) => files?.look({ now: world.now, log })))
  return lookEvery
}

export const closeFiles = async ({ rates }: Workings): Promise<void> =>
  void (await Promise.all(withFallbacks(rates).map(async ({ files }) => files?.close())))

const codes = ['RATE_TABLE_INVALID', 'PICKUP_POINTS_INVALID'] as const

/** Reads the files that are the same for all shops, as they are now. Resolves with the faults of each, by its adapter. */
export async function fileFaults({
  rates,
  world,
}: Workings): Promise<{ adapter: string; message: string }[]> {
  const ctx = { ...world, signal: AbortSignal.timeout(10_000), fetch: world.outgoing.fetch }
  const faults = await Promise.all(
    withFallbacks(rates).map(async ({ name: adapter, files, prepare }) => {
      if (!files) return []
      try {
        await prepare?.(ctx as never)
        return []
      } catch (error) {
        return hasCode(error, ...codes) ? { adapter, message: error.message } : []
      }
    }),
  )
  return faults.flat()
}

/** The files of the adapters, with the adapter of each. */
export const filesOf = (rates: readonly AnyRateAdapter[]): (AdapterFile & { adapter: string })[] =>
  withFallbacks(rates).flatMap(({ name: adapter, files }) =>
    (files?.list() ?? []).map((file) => ({ adapter, ...file })),
  )
