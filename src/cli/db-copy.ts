import { existsSync } from 'node:fs'
import { hasCode } from '../errors.ts'
import { counted } from '../printable.ts'

import { type CopyRequest, copyStore, openSide, releaseStore } from '../stores/copy.ts'
import { sqliteFileOf } from '../stores/open.ts'
import { loadEnvFile, readText } from './read-input.ts'
import { sealOfEnvironment } from './store.ts'
import { confirmed } from './terminal/confirm.ts'
import { type Line, print, table } from './terminal/print.ts'
import { withProgress } from './terminal/progress.ts'
import { checkFailed, EnvironmentProblem, UsageError } from './usage.ts'

type Flags = Partial<Pick<CopyRequest, 'dryRun' | 'rehearse' | 'withoutNul'>>

/** Copies a store into an empty one, checks that both are equal, and marks the source as moved. */
export async function copy(options: Flags & { from: string; to: string; json?: boolean }): Promise<void> {
  const { dryRun = false, rehearse = false, withoutNul = false, json } = options
  const from = existing('--from', options.from)
  const to = readStoreAddress('--to', options.to)
  const seal = await sealOfEnvironment()
  const report = await withProgress(
    dryRun ? 'Checking' : 'Copying',
    (steps) => copyStore({ from, to, seal, dryRun, rehearse, withoutNul, at: steps.at.bind(steps) }),
    { lineEvery: 10_000 },
  ).catch((error: unknown) => {
    if (hasCode(error, 'COPY_UNEQUAL')) throw Object.assign(checkFailed(error.message), { code: error.code })
    throw error
  })
  print(json, report, () => linesOf(report, rehearse))
}

interface ReleaseOptions {
  from: string
  to?: string
  copyIsGone?: boolean
  yes?: boolean
  json?: boolean
}

/** Lets providers start again on a store that was copied, and on its copy no longer. */
export async function release({ from: source, to: given, copyIsGone, yes, json }: ReleaseOptions) {
  if ((given === undefined) === !copyIsGone)
    throw new UsageError(
      'Name the copy with --to, so that no provider starts on it any more, or add --copy-is-gone if it was deleted.',
    )
  const from = await openSide('--from', existing('--from', source))
  const to = given === undefined ? undefined : await openSide('--to', existing('--to', given))
  try {
    const of = to ? `${to.shown} will not be served any more.` : 'No provider may run on its copy.'
    const released = await releaseStore(from, to, () => confirmed(`Serve ${from.shown} again? ${of}`, yes))
    print(json, { released, ...(released && { from: from.shown, to: to?.shown }) }, () =>
      released
        ? [
            `Providers start on ${from.shown} again.`,
            ...(to ? [`${to.shown} is given up: empty it before the next copy.`] : []),
          ]
        : 'Nothing was changed.',
    )
  } finally {
    await Promise.all([from.close(), to?.close()])
  }
}

/** A store that is there. */
function existing(option: string, given: string): string {
  const address = readStoreAddress(option, given)
  const file = sqliteFileOf(address)
  if (file === undefined || existsSync(file)) return address
  throw new EnvironmentProblem(
    `There is no file ${file}. Check the path in ${option}: it begins in this folder.`,
  )
}

/** The tables that an owner knows. `--json` has all. */
const shown = ['shops', 'payments', 'attempts', 'facts', 'webhooks', 'pushes', 'anomalies'] as const

function linesOf(report: Awaited<ReturnType<typeof copyStore>>, rehearse: boolean): Line[] {
  const { from, to, state, tables, standstillSeconds = 0 } = report
  if (state === 'done') return [`${from} was moved to ${to} already, and there was nothing to do.`]
  const [rows, took] = [counted(report.rows, 'row'), `${report.seconds.toFixed(1)} s`]
  const moved = [
    `${from} stood still for ${standstillSeconds.toFixed(1)} s, and no provider starts on it any more.`,
    'Set PURVEYOR_DATABASE_URL of every node to the new store, and start them.',
  ]
  const rehearsed = `This was a rehearsal: ${from} goes on, and no provider starts on the copy.`
  const says =
    state === 'checked'
      ? [`${rows} of ${from} can be copied to ${to}. Checked in ${took}, and nothing was written.`]
      : [`${rows} copied to ${to}. Both are equal. It took ${took}.`, ...(rehearse ? [rehearsed] : moved)]
  return [...table(shown, '', { table: (name) => name, rows: (name) => tables[name] }), '', ...says]
}

const remedy = (option: string) =>
  `Put the address into an environment variable and name that, such as ${option} NEW_DATABASE_URL, or into a file: ${option} @address.txt.`

/**
 * Reads the address of a store that an option names: the name of an environment variable, `@` and a file with it, or an address without a
 * password. Every user of a machine sees the arguments of its processes. `.env` is loaded for each of these forms, with its secret too. Throws a `UsageError` that never repeats an address.
 */
function readStoreAddress(option: string, given: string): string {
  loadEnvFile()
  if (/^(sqlite|postgres(ql)?):/.test(given)) {
    checked(option, given)
    const url = URL.parse(given)
    // An address that cannot be read may hold a password with characters that are not encoded.
    if (given.startsWith('sqlite:') || (url?.password === '' && !url.searchParams.has('password')))
      return given
    throw new UsageError(
      `${option} holds a password, and every user of this machine sees the arguments of its processes. ${remedy(option)} Change the password if others use this machine.`,
    )
  }
  if (given.startsWith('@')) {
    const text = readText(given.slice(1), `Name one with an address of a store: ${option} @address.txt.`)
    return checked(option, text.trim().split('\n', 1)[0]!.trim())
  }
  if (!/^[A-Za-z_]\w*$/.test(given))
    throw new UsageError(
      `${option} takes the name of an environment variable, @ and a file, or an address such as sqlite:./data/purveyor.db. ${remedy(option)}`,
    )
  const value = process.env[given]
  if (value) return checked(`${option} (${given})`, value.trim())
  throw new UsageError(
    `There is no environment variable ${given}, here or in .env. Set it to the address that ${option} means.`,
  )
}

function checked(place: string, address: string): string {
  if (address === 'sqlite::memory:')
    throw new UsageError(`${place} is a store in memory, which ends with its process.`)
  if (/^(sqlite:.|postgres(ql)?:\/\/[^/])/.test(address)) return address
  throw new UsageError(
    `${place} holds no address of a store. It is sqlite: and a path, or postgres://user:password@host/database.`,
  )
}
