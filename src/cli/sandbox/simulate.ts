import { resolve } from 'node:path'
import type { Sandbox, Scenario, ScenarioRun } from '../../sandbox/index.ts'
import type { RunOptions } from '../../sandbox/scenarios/scenario.ts'
import { findProviderFile, sampleFile } from '../provider/file.ts'
import { type Given, group, json, oneOf, parsed, place, plain, span } from '../table.ts'
import { print, printTable, say } from '../terminal/print.ts'
import { type Steps, withProgress } from '../terminal/progress.ts'
import { readJsonFile } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'
import { checkRecordFolder, sandboxOf, seed, servedOption, unseenOrder } from './sandbox.ts'

const marks = { passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const
const statuses = ['paid', 'pending', 'expired', 'cancelled'] as const

const against = {
  '--provider <file>': 'default: provider.ts or src/provider.ts, otherwise the built-in sample',
  '--endpoint <url>': {
    description: 'a provider that runs elsewhere; its clock is not moved',
    conflicts: ['provider'],
  },
  '--for <type...>': servedOption('what the endpoint serves'),
  '--record <folder>': 'save every call to a file, with personal data replaced',
  '--settings <file>': {
    description: 'settings of the shop as JSON, for a provider that is started here',
    conflicts: ['endpoint'],
  },
  ...seed,
  '--json': 'print one JSON object',
}

const choosing = {
  '--method <id...>': 'methods to choose, for shipping or payment; default: the first ones',
  ...place,
}

type Choosing = Given<typeof choosing>

const runOptions = ({ method: methods, country, zipcode, currency }: Choosing): RunOptions => {
  return { methods, country, zipcode, currency }
}

const list = plain({
  description: 'list the scenarios',
  examples: ['purveyor simulate list'],
  options: json,
  async run({ json }) {
    const { scenarios } = await import('../../sandbox/index.ts')
    const all = scenarios.map(({ name, title, needs }) => ({ name, title, needs }))
    printTable(json, all, '', { name: 'name', 'what happens': 'title' })
  },
})

/** One after the other. Exit code 1 when one fails, and when all are skipped: then nothing was tested. */
const run = plain({
  description: 'run scenarios',
  examples: ['purveyor simulate run --all', 'purveyor simulate run paid --record calls'],
  arguments: { '[names...]': 'names from `simulate list`' },
  options: { ...against, ...choosing, '--all': 'run all scenarios' },
  async run({ names, all, ...options }) {
    if (names.length === 0 && !all)
      throw new UsageError(
        'Name scenarios, or run all of them with --all. `purveyor simulate list` lists them.',
      )
    const { scenarios } = await import('../../sandbox/index.ts')
    const unknown = names.find((name) => !all && !scenarios.some((one) => one.name === name))
    if (unknown !== undefined)
      throw new UsageError(`There is no scenario "${unknown}". \`purveyor simulate list\` lists them.`)
    const chosen = all ? scenarios : names.map((name) => scenarios.find((one) => one.name === name)!)
    await withSandbox('Playing scenarios', options, async (sandbox, steps) => {
      const runs: ScenarioRun[] = []
      const counts = { passed: 0, failed: 0, skipped: 0 }
      for (const scenario of chosen) {
        steps.at(runs.length, chosen.length, scenario.name)
        const played = await sandbox.run(scenario, runOptions(options))
        runs.push(played)
        const { name, title, result, reason, ms } = played
        counts[result]++
        if (!options.json)
          say(`${marks[result]}  ${name.padEnd(26)}${reason === undefined ? title : `${reason}.`} (${ms} ms)`)
      }
      print(options.json, { ...counts, scenarios: runs.map(({ steps: _, ...played }) => played) }, () => [
        `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
        counts.skipped === runs.length &&
          `Nothing was tested: ${[...new Set(runs.map(({ reason }) => reason))].join('; ')}.`,
      ])
      if (counts.failed > 0 || counts.skipped === runs.length) process.exitCode = 1
    })
  },
})

/** Runs one order as a scenario of its own. Exit code 1 when it ends otherwise. */
const order = plain({
  description: 'place one order and pay for it',
  examples: ['purveyor simulate order --status pending --then paid --after 2h'],
  options: {
    ...against,
    ...choosing,
    '--status <status>': oneOf('how the customer ends the payment', statuses, { default: 'paid' }),
    '--then <status>': oneOf('the status that it changes to later', statuses),
    '--after <time>': parsed('when it changes, such as 5s, 2h or 1d later', span, { default: '10m' }),
  },
  async run({ status, then, after, ...options }) {
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
  },
})

/** Exit code 1 when an answer differs. */
const replay = plain({
  description: 'send recorded calls again, and show which answers differ',
  examples: ['purveyor simulate replay calls'],
  arguments: { '<folder>': 'a folder written by --record' },
  options: against,
  async run({ folder, ...options }) {
    if (options.record !== undefined && resolve(options.record) === resolve(folder))
      throw new UsageError('--record names the folder that is replayed. Name another one.')
    await withSandbox('Sending recorded calls', options, async (sandbox) => {
      const calls = await sandbox.replay(folder)
      const failed = calls.filter(({ differences }) => differences.length > 0).length
      const skipped = calls.filter(({ notCompared }) => notCompared !== undefined).length
      const passed = calls.length - failed - skipped
      const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing'
      print(options.json, { passed, failed, skipped, calls }, () => [
        ...calls.flatMap(({ name, differences, notCompared }) => [
          notCompared === undefined
            ? `${differences.length === 0 ? 'same   ' : 'DIFFERS'} ${name}`
            : `sent    ${name}  ${notCompared}.`,
          ...differences.map(
            (one) => `    ${one.path}: ${shown(one.recorded)} before, ${shown(one.answered)} now`,
          ),
        ]),
        `${passed} the same, ${failed} different${skipped > 0 ? `, ${skipped} not compared` : ''}`,
      ])
      if (failed > 0) process.exitCode = 1
    })
  },
})

/** Plays in a shop beside the provider of this folder, which starts with an empty store, or beside one that runs elsewhere. */
const withSandbox = (
  what: string,
  options: Given<typeof against> & Choosing,
  use: (sandbox: Sandbox, steps: Steps) => Promise<void>,
): Promise<void> =>
  withProgress(what, async (steps) => {
    const { endpoint, for: services, provider: named, seed, record, settings: file } = options
    const { addressIn } = await import('../../messages/people.ts')
    await checkRecordFolder(record)
    addressIn(options)
    async function playIn(sandbox: Sandbox): Promise<void> {
      try {
        await sandbox.listen()
        const stopRecording = record === undefined ? undefined : sandbox.record(record)
        await use(sandbox, steps).finally(stopRecording)
      } finally {
        await sandbox.close()
      }
    }
    if (endpoint !== undefined)
      return playIn(await sandboxOf({ endpoint, services, seed, firstOrder: unseenOrder() }))
    const settings = file === undefined ? undefined : readJsonFile(file, 'the settings')
    const { startScenarioProvider } = await import('../provider/process.ts')
    const started = await startScenarioProvider(findProviderFile(named, sampleFile), settings)
    const { move: moveProviders, stop, ...beside } = started
    try {
      await playIn(await sandboxOf({ ...beside, moveProviders, seed }))
    } finally {
      await stop()
    }
  })

const commands = { list, run, order, replay }
export const command = group('run automated checkout tests on a clock that moves forward by itself', commands)
