import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { hasCode, PurveyorError } from '../errors.ts'
import { counted } from '../printable.ts'
import { developmentSecret } from '../shops/seal.ts'
import { StoreUnavailable } from '../store.ts'
import { type CopyReport, copyStore } from '../stores/copy/copy-store.ts'
import type { Figures } from '../stores/copy/figures.ts'
import { PostgresSide } from '../stores/copy/postgres-side.ts'
import { releaseOf } from '../stores/copy/release.ts'
import type { Side } from '../stores/copy/side.ts'
import { SqliteSide } from '../stores/copy/sqlite-side.ts'
import { sqliteFileOf } from '../stores/open.ts'
import { seal } from '../stores/seal.ts'
import { readStoreAddress } from './store-address.ts'
import { confirmed } from './terminal/confirm.ts'
import { fail, type Line, print, table } from './terminal/print.ts'
import { withProgress } from './terminal/progress.ts'
import { checkFailed, EnvironmentProblem, UsageError } from './usage.ts'

export interface CopyOptions {
  from: string
  to: string
  dryRun?: boolean
  rehearse?: boolean
  withoutNul?: boolean
  processes: number
  batch: number
  json?: boolean
}

/** Copies a store into an empty one, checks that both are equal, and marks the source as moved. */
export async function copy(options: CopyOptions): Promise<void> {
  const { dryRun = false, rehearse = false, withoutNul = false, processes, batch, json } = options
  const source = readStoreAddress('--from', options.from)
  const target = readStoreAddress('--to', options.to)
  refuseMissing('--from', source)
  const from = sideOf(source, { option: '--from', readOnly: dryRun || rehearse })
  const to = sideOf(target, { option: '--to', readOnly: dryRun && sqliteFileOf(target) !== undefined })
  const interruption = new Interruption(from.shown)
  const report = await withSides([from, to], () =>
    withProgress(
      dryRun ? 'Checking' : 'Copying',
      (steps) =>
        copyStore({
          ...{ from, to, seal: sealOf(process.env), dryRun, rehearse, withoutNul, processes, batch },
          standsStill: () => interruption.begin(),
          at: (done, of, what) => steps.at(done, of, what),
        }),
      { lineEvery: 10_000 },
    ),
  ).finally(() => interruption.end())
  print(json, report, () => linesOf(report, { rehearse }))
}

/** Says at SIGINT and SIGTERM how the source is left, and ends the process: a run of the same command goes on. */
class Interruption {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  begin(): void {
    process.on('SIGINT', this.#end).on('SIGTERM', this.#end)
  }

  end(): void {
    process.off('SIGINT', this.#end).off('SIGTERM', this.#end)
  }

  readonly #end = (signal: NodeJS.Signals): void => {
    fail(
      `${this.#source} takes no writes until the same db copy has run to its end, or until purveyor db release lets it go.`,
    )
    process.exit(128 + constants.signals[signal])
  }
}

export interface ReleaseOptions {
  from: string
  to?: string
  copyIsGone?: boolean
  yes?: boolean
  json?: boolean
}

/** Lets providers start again on a store that was copied, and on its copy no longer. */
export async function release({
  from: source,
  to: target,
  copyIsGone,
  yes,
  json,
}: ReleaseOptions): Promise<void> {
  if ((target === undefined) === !copyIsGone) {
    throw new UsageError(
      'Name the copy with --to, so that no provider starts on it any more, or add --copy-is-gone if it was deleted.',
    )
  }
  const address = readStoreAddress('--from', source)
  refuseMissing('--from', address)
  const copied = target === undefined ? undefined : readStoreAddress('--to', target)
  if (copied !== undefined) refuseMissing('--to', copied)
  const from = sideOf(address, { option: '--from' })
  const to = copied === undefined ? undefined : sideOf(copied, { option: '--to' })
  await withSides([from, ...(to ? [to] : [])], async () => {
    const found = await releaseOf({ from, to })
    const of = to ? `${to.shown} will not be served any more.` : 'No provider may run on its copy.'
    if (!(await confirmed(`Serve ${from.shown} again? ${of}`, yes))) {
      print(json, { released: false }, () => 'Nothing was changed.')
      return
    }
    await found.run()
    print(json, { released: true, from: found.from, to: found.to, was: found.was }, () => [
      `Providers start on ${found.from} again.`,
      ...(found.to ? [`${found.to} is given up: empty it before the next copy.`] : []),
    ])
  })
}

function refuseMissing(option: string, address: string): void {
  const file = sqliteFileOf(address)
  if (file === undefined || existsSync(file)) return
  throw new EnvironmentProblem(
    `There is no file ${file}. Check the path in ${option}: it begins in this folder.`,
  )
}

function sideOf(address: string, options: { option: string; readOnly?: boolean }): Side {
  const file = sqliteFileOf(address)
  return file === undefined ? new PostgresSide(address, options) : new SqliteSide(file, options)
}

/** The secret of the environment, as a provider reads it. */
function sealOf({ PURVEYOR_SECRET, PURVEYOR_PREVIOUS_SECRET }: NodeJS.ProcessEnv) {
  return seal(
    PURVEYOR_SECRET || developmentSecret,
    ...(PURVEYOR_PREVIOUS_SECRET ? [PURVEYOR_PREVIOUS_SECRET] : []),
  )
}

/** Closes both sides. Errors of a store name the variable of a provider, which is not the one that was read here. */
async function withSides<T>(sides: readonly Side[], use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    if (hasCode(error, 'COPY_UNEQUAL')) throw Object.assign(checkFailed(error.message), { code: error.code })
    if (error instanceof StoreUnavailable && error.message.includes('PURVEYOR_DATABASE_URL'))
      throw new PurveyorError(
        error.code,
        error.message.replaceAll('PURVEYOR_DATABASE_URL', 'the address of the store'),
        { cause: error },
      )
    throw error
  } finally {
    await Promise.all(sides.map((side) => side.close()))
  }
}

function linesOf(report: CopyReport, { rehearse }: { rehearse: boolean }): Line[] {
  const { from, to, state, rows, before, source, target, standstillSeconds, seconds } = report
  const took = `${seconds.toFixed(1)} s`
  if (state === 'checked') {
    return [
      ...figureLines(source),
      '',
      `${counted(rows, 'row')} of ${from} can be copied to ${to}. Checked in ${took}, and nothing was written.`,
    ]
  }
  if (state === 'done') return [`${from} was moved to ${to} already, and there was nothing to do.`]
  const resumed = before > 0 ? `, ${before} of them before it was interrupted` : ''
  return [
    ...figureLines(source, target),
    '',
    `${counted(rows, 'row')} copied to ${to}${resumed}. Both are equal. It took ${took}.`,
    ...(rehearse
      ? [`This was a rehearsal: ${from} goes on, and no provider starts on the copy.`]
      : [
          `${from} stood still for ${standstillSeconds!.toFixed(1)} s, and no provider starts on it any more.`,
          'Set PURVEYOR_DATABASE_URL of every node to the new store, and start them.',
        ]),
  ]
}

/** The figures of an owner, in both stores. */
function figureLines(source: Figures, target?: Figures): Line[] {
  const inTarget = new Map(target && flat(target))
  return table(flat(source), 'The source is empty.', {
    what: ([name]) => name,
    source: ([, value]) => value,
    ...(target && { target: ([name]: [string, string]) => inTarget.get(name) }),
  })
}

function flat(figures: Figures): [string, string][] {
  const money = (kind: string, amounts: Figures['money']) =>
    Object.entries(amounts).flatMap(([currency, words]) =>
      Object.entries(words).map(([word, amount]): [string, string] => [
        `${kind} ${word}, in ${currency.toUpperCase()}`,
        amount,
      ]),
    )
  return [
    ['shops', String(figures.shops)],
    ...Object.entries(figures.payments).map(([status, count]): [string, string] => [
      `payments ${status}`,
      String(count),
    ]),
    ...money('asked for:', figures.money),
    ...money('reported:', figures.movements),
    ['webhooks owed', String(figures.owedWebhooks)],
    ['dead letters', String(figures.deadLetters)],
    ['pushes waiting', String(figures.waitingPushes)],
    ['anomalies open', String(figures.openAnomalies)],
  ]
}
