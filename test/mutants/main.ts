// `npm run -s mutants`: changes the source in one small place at a time and runs the tests that concern it. A change that no test
// catches (a survivor) is a line whose promise nothing holds. The work tree is never touched: mutants live in copies below /tmp.
//
//   --sample N       how many mutants, chosen by the seed. Default 200; 0 takes all
//   --seed N         another sample. Default 1. A mutant stays in its sample as long as its own lines stay
//   --folder F       only this folder, such as src/payments; may be repeated. Default: src/payments, src/money,
//                    src/contract, src/rates, src/shops and src/webhooks, without the examples of messages
//   --file F[:LINE]  only this file, or one line of it; may be repeated
//   --tests N        at most so many test files for one mutant. Default 15
//   --workers N      processes at once. Default: one for each core
//   --list           prints the mutants and runs nothing
//   --all            prints what caught each of the others, too
//
// Each test file is run once without a mutant to see which functions it calls; only those that call the function of a mutant are
// run against it, nearest first, up to the first failure. One that is not over in time has failed. A mutant that all of them let
// pass is still caught when the compiler refuses it, because `npm test` checks types. The last line is `N of M caught (P %)`.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { together } from '../together.ts'
import { Caught } from './caught.ts'
import { equivalent } from './equivalent.ts'
import { type Look, lookAtTests, testsFor } from './looks.ts'
import { linesOf, type Mutant, mutantsOf, mutated } from './mutations.ts'
import { repository, Workshop } from './workshop.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    folder: {
      type: 'string',
      multiple: true,
      default: ['src/payments', 'src/money', 'src/contract', 'src/rates', 'src/shops', 'src/webhooks'],
    },
    file: { type: 'string', multiple: true, default: [] },
    tests: { type: 'string', default: '15' },
    workers: { type: 'string', default: String(availableParallelism()) },
    list: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
})

const sources = new Map<string, string>()
/** As it was at the start: others may write meanwhile. */
function read(file: string): string {
  const text = sources.get(file) ?? readFileSync(join(repository, file), 'utf8')
  sources.set(file, text)
  return text
}

/** Examples of messages for tests, tools and documentation. */
const data = /^src\/contract\/examples\//

function candidates(): Mutant[] {
  const places = values.file.map((place) => place.split(':'))
  const files =
    places.length > 0
      ? [...new Set(places.map(([file]) => file!))]
      : values.folder
          .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: repository }))
          .filter((file) => !data.test(file))
  const mutants = files.sort().flatMap((file) => mutantsOf(file, read(file)))
  if (places.length === 0) return mutants
  return mutants.filter(({ file, line }) =>
    places.some(([of, at]) => of === file && (at === undefined || Number(at) === line)),
  )
}

const shown = (mutant: Mutant) => linesOf(read(mutant.file), mutant)

/** Those that the seed ranks first. A mutant keeps its rank while its own lines stay the same, even if others change. */
function sampleOf(mutants: Mutant[], size: number, seed: string): Mutant[] {
  const ranked = mutants.map((mutant) => {
    const { before, after } = shown(mutant)
    const name = JSON.stringify([seed, mutant.file, mutant.within, mutant.kind, before, after])
    return { mutant, rank: createHash('sha256').update(name).digest('hex') }
  })
  const chosen = ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ mutant }) => mutant)
  return size === 0 ? chosen : chosen.slice(0, size)
}

const placeOf = ({ file, line, kind }: Mutant): string => `${file}:${line} (${kind})`

/** Resolves with what caught the mutant. */
async function catcherOf(
  workshop: Workshop,
  caught: Caught,
  mutant: Mutant,
  tests: Look[],
): Promise<string | undefined> {
  const known = caught.by(mutant)
  if (known) return known
  const source = mutated(read(mutant.file), mutant)
  return workshop.with(new Map([[mutant.file, source]]), async () => {
    for (const { test, ms } of tests) {
      const { failed } = await workshop.run(test, 20_000 + 5 * ms)
      if (!failed) continue
      caught.add(mutant, test, failed)
      return failed
    }
    return (await workshop.refusedByTypes()) ? 'types' : undefined
  })
}

const chosen = sampleOf(candidates(), Number(values.sample), values.seed)
if (values.list) {
  for (const mutant of chosen) console.log(`${placeOf(mutant)}\n  ${shown(mutant).after}`)
} else {
  await runAll(chosen)
}

async function runAll(mutants: Mutant[]): Promise<void> {
  const atOnce = Number(values.workers)
  const looks = await lookAtTests(atOnce)
  const caught = new Caught()
  const workshops = Array.from({ length: Math.min(atOnce, mutants.length) }, () => new Workshop('run'))
  const free = [...workshops]
  process.on('exit', () => {
    for (const workshop of workshops) workshop.close()
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  const caughtBy: string[] = []
  await together(free.length, mutants, async (mutant) => {
    const workshop = free.pop()!
    const tests = testsFor(mutant, looks, Number(values.tests))
    const by = await catcherOf(workshop, caught, mutant, tests)
    if (by) caughtBy.push(by)
    if (values.all && by) console.log(`${placeOf(mutant)} caught by ${by}`)
    if (!by) console.log(survivor(mutant, tests))
    free.push(workshop)
  })
  for (const workshop of workshops) workshop.close()
  const types = caughtBy.filter((by) => by === 'types').length
  console.log(`${types} of them caught by types alone`)
  const share = ((100 * caughtBy.length) / mutants.length).toFixed(1)
  console.log(`${caughtBy.length} of ${mutants.length} caught (${share} %)`)
}

function survivor(mutant: Mutant, tests: Look[]): string {
  const { before, after } = shown(mutant)
  const same = equivalent.find(
    (one) => one.file === mutant.file && one.before === before && one.after === after,
  )
  const run = same
    ? `equivalent: ${same.why}`
    : `not caught by ${tests.map(({ test }) => test).join(', ') || 'any test'}`
  return `${placeOf(mutant)}\n  - ${before}\n  + ${after}\n  ${run}`
}
