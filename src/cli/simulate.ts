import { resolve } from 'node:path'
import type { PaymentStatus } from '../contract/index.ts'
import { type Sandbox, type Scenario, type ScenarioRun, type Served, scenarios } from '../sandbox/index.ts'
import { addressIn } from '../sandbox/people.ts'
import { readRecording } from '../sandbox/recording/record.ts'
import type { RunOptions } from '../sandbox/scenarios/run.ts'
import { findProviderFile, sampleFile } from './provider/file.ts'
import { startScenarioProvider } from './provider/scenario.ts'
import { readJsonFile } from './read-input.ts'
import { checkRecordFolder } from './record-folder.ts'
import { sandboxOf, unseenOrder } from './sandbox.ts'
import { print, say, table } from './terminal/print.ts'
import { type Steps, withProgress } from './terminal/progress.ts'
import { UsageError } from './usage.ts'

export interface SimulateOptions {
  provider?: string
  endpoint?: string
  for?: Served[]
  record?: string
  /** A JSON file with the settings of the shop, for a provider that is started here. */
  settings?: string
  /** A file or a folder with the records of resources, such as `products` and `cart`. */
  seed?: string
  json?: boolean
}

/** `method`: ids of methods that the customer chooses. */
interface Choosing extends Pick<RunOptions, 'country' | 'zipcode' | 'currency'> {
  method?: string[]
}

const runOptions = ({ method: methods, country, zipcode, currency }: Choosing): RunOptions => ({
  ...{ methods, country, zipcode, currency },
})

export function list({ json }: { json?: boolean }): void {
  const all = scenarios.map(({ name, title, needs }) => ({ name, title, needs }))
  print(json, all, () => table(all, '', { name: ({ name }) => name, 'what happens': ({ title }) => title }))
}

/** Runs scenarios one after the other. Exit code 1 when one fails, and when all are skipped: then nothing was tested. */
export async function run(
  names: string[],
  options: SimulateOptions & Choosing & { all?: boolean },
): Promise<void> {
  if (names.length === 0 && !options.all)
    throw new UsageError(
      'Name scenarios, or run all of them with --all. `purveyor simulate list` lists them.',
    )
  const chosen = options.all ? scenarios : names.map(scenarioOf)
  await withSandbox('Playing scenarios', options, async (sandbox, steps) => {
    const runs: ScenarioRun[] = []
    for (const scenario of chosen) {
      steps.at(runs.length, chosen.length, scenario.name)
      const played = await sandbox.run(scenario, runOptions(options))
      runs.push(played)
      if (!options.json) say(lineOf(played))
    }
    const count = (result: ScenarioRun['result']) => runs.filter((one) => one.result === result).length
    const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
    print(options.json, { ...counts, scenarios: runs.map(({ steps: _, ...played }) => played) }, () => [
      `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
      ...(counts.skipped === runs.length ? [`Nothing was tested: ${reasonsOf(runs)}.`] : []),
    ])
    if (counts.failed > 0 || counts.skipped === runs.length) process.exitCode = 1
  })
}

/** The different reasons of skips. */
const reasonsOf = (runs: readonly ScenarioRun[]) => [...new Set(runs.map(({ reason }) => reason))].join('; ')

function scenarioOf(name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name)
  if (scenario) return scenario
  throw new UsageError(`There is no scenario "${name}". \`purveyor simulate list\` lists them.`)
}

const marks = { passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const

const lineOf = ({ name, title, result, reason, ms }: ScenarioRun): string =>
  `${marks[result]}  ${name.padEnd(26)}${reason === undefined ? title : `${reason}.`} (${ms} ms)`

export interface OrderOptions extends SimulateOptions, Choosing {
  status: PaymentStatus
  then?: PaymentStatus
  after: string
}

/** Runs one order as a scenario of its own. Exit code 1 when it ends otherwise. */
export async function order({ status, then, after, ...options }: OrderOptions): Promise<void> {
  if (!/^\d{1,4}(s|m|h|d|month)s?$/.test(after))
    throw new UsageError('--after is a time such as 5s, 10m, 2h, 1d or 1month.')
  const scenario: Scenario = {
    name: 'order',
    title: `An order that is ${status}${then ? `, then ${then}` : ''}`,
    needs: ['payments'],
    steps: [
      { order: {} },
      { choose: status },
      { customer: 'returns' },
      { expect: { order: status, provider: status } },
      ...(then ? [{ move: after }, { expect: { order: then, provider: then } }] : []),
    ],
  }
  await withSandbox('Playing the order', options, async (sandbox) => {
    const { result, reason, orderId } = await sandbox.run(scenario, runOptions(options))
    const placed = orderId === undefined ? undefined : sandbox.order(orderId)
    const calls = sandbox.calls
      .filter((call) => call.orderId === orderId)
      .map(({ direction, method, path, status, meaning }) => ({ direction, method, path, status, meaning }))
    const passed = result === 'passed' ? 1 : 0
    print(options.json, { passed, failed: 1 - passed, reason, order: placed, calls }, () => [
      ...calls.map(({ direction, method, path, status = 'no answer', meaning }) => {
        const who = direction === 'shop to provider' ? 'shop asks     ' : 'provider calls'
        return `${who}  ${method} ${path}  ${status}  ${meaning}`
      }),
      passed ? `Order ${placed?.number} is ${placed?.status}.` : `${reason}.`,
    ])
    if (!passed) process.exitCode = 1
  })
}

/** Sends recorded calls again. Exit code 1 when an answer differs. */
export async function replay(folder: string, options: SimulateOptions): Promise<void> {
  if (options.record !== undefined && resolve(options.record) === resolve(folder))
    throw new UsageError('--record names the folder that is replayed. Name another one.')
  // A folder that cannot be read is named before a provider starts.
  readRecording(folder)
  await withSandbox('Sending recorded calls', options, async (sandbox) => {
    const calls = await sandbox.replay(folder)
    const differing = calls.filter(({ differences }) => differences.length > 0)
    const skipped = calls.filter(({ notCompared }) => notCompared !== undefined).length
    const counts = { passed: calls.length - differing.length - skipped, failed: differing.length, skipped }
    print(options.json, { ...counts, calls }, () => [
      ...calls.flatMap(({ name, differences, notCompared }) => [
        notCompared === undefined
          ? `${differences.length === 0 ? 'same   ' : 'DIFFERS'} ${name}`
          : `sent    ${name}  ${notCompared}.`,
        ...differences.map(
          ({ path, recorded, answered }) =>
            `    ${path}: ${JSON.stringify(recorded) ?? 'nothing'} before, ${JSON.stringify(answered) ?? 'nothing'} now`,
        ),
      ]),
      `${counts.passed} the same, ${counts.failed} different${skipped > 0 ? `, ${skipped} not compared` : ''}`,
    ])
    if (counts.failed > 0) process.exitCode = 1
  })
}

type Use = (sandbox: Sandbox, steps: Steps) => Promise<void>
type Playing = SimulateOptions & Choosing

/**
 * Starts a shop beside the provider of this folder, which starts with an empty store, or beside one that runs elsewhere. A terminal shows
 * `what` takes long.
 */
const withSandbox = (what: string, options: Playing, use: Use): Promise<void> =>
  withProgress(what, (steps) => startAndPlay(options, (sandbox) => use(sandbox, steps)))

async function startAndPlay(options: Playing, use: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const { endpoint, for: services, provider: named, seed } = options
  checkRecordFolder(options.record)
  addressIn(options)
  if (endpoint !== undefined) {
    if (options.settings !== undefined)
      throw new UsageError(
        '--settings is for a provider that is started here, and --endpoint names one that runs.',
      )
    await playIn(sandboxOf({ endpoint, services, seed, firstOrder: unseenOrder() }), options, use)
    return
  }
  const settings = options.settings === undefined ? undefined : readJsonFile(options.settings, 'the settings')
  // Checked before the provider starts.
  if (seed !== undefined) await sandboxOf({ seed }).close()
  const own = await startScenarioProvider(findProviderFile(named, sampleFile), settings)
  try {
    const { move, stop: _, ...beside } = own
    await playIn(sandboxOf({ ...beside, moveProviders: move, seed }), options, use)
  } finally {
    await own.stop()
  }
}

async function playIn(
  sandbox: Sandbox,
  { record }: SimulateOptions,
  use: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  let stopRecording: (() => void) | undefined
  try {
    await sandbox.listen()
    stopRecording = record === undefined ? undefined : sandbox.record(record)
    await use(sandbox)
  } finally {
    stopRecording?.()
    await sandbox.close()
  }
}
