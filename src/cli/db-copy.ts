import { existsSync } from 'node:fs'
import { hasCode } from '../errors.ts'
import { counted } from '../printable.ts'
import { developmentSecret } from '../shops/seal.ts'
import { type CopyReport, copyStore } from '../stores/copy/copy-store.ts'
import { releaseOf } from '../stores/copy/release.ts'
import { openSide, type Place } from '../stores/copy/side.ts'
import { sqliteFileOf } from '../stores/open.ts'
import { seal } from '../stores/seal.ts'
import { readStoreAddress } from './store-address.ts'
import { confirmed } from './terminal/confirm.ts'
import { type Line, print, table } from './terminal/print.ts'
import { withProgress } from './terminal/progress.ts'
import { checkFailed, EnvironmentProblem, UsageError } from './usage.ts'

export interface CopyOptions {
  from: string
  to: string
  dryRun?: boolean
  rehearse?: boolean
  withoutNul?: boolean
  json?: boolean
}

/** Copies a store into an empty one, checks that both are equal, and marks the source as moved. */
export async function copy(options: CopyOptions): Promise<void> {
  const { dryRun = false, rehearse = false, withoutNul = false, json } = options
  const from = existing('--from', options.from)
  const to = { address: readStoreAddress('--to', options.to), option: '--to' }
  const { PURVEYOR_SECRET: secret, PURVEYOR_PREVIOUS_SECRET: previous } = process.env
  const ofNodes = seal(secret || developmentSecret, ...(previous ? [previous] : []))
  const report = await withProgress(
    dryRun ? 'Checking' : 'Copying',
    (steps) =>
      copyStore({
        ...{ from, to, seal: ofNodes, dryRun, rehearse, withoutNul },
        at: (done, of, what) => steps.at(done, of, what),
      }),
    { lineEvery: 10_000 },
  ).catch((error: unknown) => {
    if (hasCode(error, 'COPY_UNEQUAL')) throw Object.assign(checkFailed(error.message), { code: error.code })
    throw error
  })
  print(json, report, () => linesOf(report, rehearse))
}

export interface ReleaseOptions {
  from: string
  to?: string
  copyIsGone?: boolean
  yes?: boolean
  json?: boolean
}

/** Lets providers start again on a store that was copied, and on its copy no longer. */
export async function release(options: ReleaseOptions): Promise<void> {
  const { copyIsGone, yes, json } = options
  if ((options.to === undefined) === !copyIsGone) {
    throw new UsageError(
      'Name the copy with --to, so that no provider starts on it any more, or add --copy-is-gone if it was deleted.',
    )
  }
  const from = await openSide(existing('--from', options.from))
  const to = options.to === undefined ? undefined : await openSide(existing('--to', options.to))
  try {
    const run = await releaseOf(from, to)
    const of = to ? `${to.shown} will not be served any more.` : 'No provider may run on its copy.'
    if (!(await confirmed(`Serve ${from.shown} again? ${of}`, yes))) {
      print(json, { released: false }, () => 'Nothing was changed.')
      return
    }
    await run()
    print(json, { released: true, from: from.shown, to: to?.shown }, () => [
      `Providers start on ${from.shown} again.`,
      ...(to ? [`${to.shown} is given up: empty it before the next copy.`] : []),
    ])
  } finally {
    await Promise.all([from.close(), to?.close()])
  }
}

/** A store that is there. */
function existing(option: string, given: string): Place {
  const address = readStoreAddress(option, given)
  const file = sqliteFileOf(address)
  if (file === undefined || existsSync(file)) return { address, option }
  throw new EnvironmentProblem(
    `There is no file ${file}. Check the path in ${option}: it begins in this folder.`,
  )
}

/** The tables that an owner knows. `--json` has all. */
const shown = ['shops', 'payments', 'attempts', 'facts', 'webhooks', 'pushes', 'anomalies'] as const

function linesOf(report: CopyReport, rehearse: boolean): Line[] {
  const { from, to, state, rows, tables, standstillSeconds = 0, seconds } = report
  if (state === 'done') return [`${from} was moved to ${to} already, and there was nothing to do.`]
  const took = `${seconds.toFixed(1)} s`
  const counts = table(shown, '', { table: (name) => name, rows: (name) => tables[name] })
  if (state === 'checked') {
    const says = `${counted(rows, 'row')} of ${from} can be copied to ${to}. Checked in ${took}, and nothing was written.`
    return [...counts, '', says]
  }
  return [
    ...counts,
    '',
    `${counted(rows, 'row')} copied to ${to}. Both are equal. It took ${took}.`,
    ...(rehearse
      ? [`This was a rehearsal: ${from} goes on, and no provider starts on the copy.`]
      : [
          `${from} stood still for ${standstillSeconds.toFixed(1)} s, and no provider starts on it any more.`,
          'Set PURVEYOR_DATABASE_URL of every node to the new store, and start them.',
        ]),
  ]
}
