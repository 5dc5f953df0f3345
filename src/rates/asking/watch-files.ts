import type { AdapterFile } from '../../adapters/adapter-files.ts'
import { callAdapter, Deadline, deadlineFetch } from '../../adapters/call-adapter.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import { withFallbacks } from '../../any-adapter.ts'
import { hasCode } from '../../errors/errors.ts'
import type { Parts } from '../../parts.ts'
import type { PrepareContext } from '../adapter.ts'

/** In milliseconds. A file that is written in its place is in use after two looks. */
const lookEvery = 1_000
/** In milliseconds. Adapters have their files from the start, so nothing is to be seen where none has any. */
const withoutFiles = 900_000

/** Makes every rate adapter look for changed files. Resolves with the milliseconds until the next look. */
export async function watchFiles(workings: Parts<'world' | 'rates'>): Promise<number> {
  const { log, now } = workings.world
  const holders = holdersOf(workings).filter(({ files }) => files !== undefined)
  await Promise.all(holders.map(async ({ files }) => files?.look({ now, log })))
  return holders.length > 0 ? lookEvery : withoutFiles
}

type Holder = Pick<AnyRateAdapter, 'name' | 'network' | 'files' | 'prepare'>

/** All that may hold files: the rate adapters, and the facts of products. */
function holdersOf({ rates }: Parts<'rates'>): Holder[] {
  const { productFacts } = rates.rating
  const facts: Holder[] = productFacts
    ? [{ name: 'productFacts', files: productFacts.files, prepare: (ctx) => productFacts.prepare(ctx) }]
    : []
  return [...withFallbacks(rates.adapters), ...facts]
}

const codes = ['RATE_TABLE_INVALID', 'PICKUP_POINTS_INVALID', 'PRODUCT_FACTS_INVALID'] as const

/** Reads the files that are the same for all shops, as they are now. Resolves with the faults of each, by its adapter. */
export async function fileFaults(
  workings: Parts<'world' | 'rates'>,
): Promise<{ adapter: string; message: string }[]> {
  const holders = holdersOf(workings).filter(({ files }) => files !== undefined)
  const faults = holders.map(async (holder) => {
    const error = await prepareAdapter(workings, holder).catch((thrown: unknown) => thrown)
    return hasCode(error, ...codes) ? [{ adapter: holder.name, message: error.message }] : []
  })
  return (await Promise.all(faults)).flat()
}

export const filesOf = (workings: Parts<'rates'>): (AdapterFile & { adapter: string })[] =>
  holdersOf(workings).flatMap(({ name: adapter, files }) =>
    (files?.list() ?? []).map((file) => ({ adapter, ...file })),
  )

/** In milliseconds. */
const longest = 10_000

/** Reads the facts of products, then runs the `prepare` of all rate adapters, side by side. Rejects with the first failure. */
export async function prepareRates(workings: Parts<'world' | 'rates'>): Promise<void> {
  await workings.rates.rating.productFacts?.prepare(workings.world)
  const adapters = withFallbacks(workings.rates.adapters)
  await Promise.all(adapters.map((adapter) => prepareAdapter(workings, adapter)))
}

/** Calls the `prepare` of an adapter, if it has one. Rejects with its error, and with `DeadlinePassed` after 10 s. */
async function prepareAdapter({ world }: Parts<'world'>, adapter: Holder): Promise<void> {
  if (!adapter.prepare) return
  const { name, network } = adapter
  const deadline = new Deadline(world, longest)
  const fetch = deadlineFetch(world, deadline, { name, network, kind: 'rates' })
  const ctx: PrepareContext = { signal: deadline.signal, fetch, now: world.now, log: world.log }
  await callAdapter(world, { adapter, call: 'prepare', deadline }, () => adapter.prepare?.(ctx))
}
