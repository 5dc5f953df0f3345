import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openToOthers } from '../../stores/own-file.ts'
import { type DoctorCheck, fail, failIn, ok, type Patient, skipped, warn } from './check.ts'

const gigabyte = 1024 ** 3

const fileOf = ({ described }: Patient): string | undefined => {
  const file = described.databaseUrl.startsWith('sqlite:')
    ? described.databaseUrl.slice('sqlite:'.length)
    : undefined
  return file === undefined || file === ':memory:' || described.volatile ? undefined : resolve(file)
}

function atLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) => text.split('.').map(Number))
  for (const [at, number] of want!.entries()) {
    if ((have![at] ?? 0) !== number) return (have![at] ?? 0) > number
  }
  return true
}

/** The machine, its settings and its disk. */
export const machineChecks: DoctorCheck[] = [
  {
    name: 'node',
    look() {
      const { node } = process.versions
      return atLeast(node, '24.15')
        ? ok(`Node ${node}`)
        : fail(`Node ${node} is too old`, 'Run Node 24.15 or newer: npm install node@24 --save-dev')
    },
  },
  {
    name: 'sqlite',
    look() {
      const sqlite = process.versions.sqlite!
      return atLeast(sqlite, '3.51.3')
        ? ok(`SQLite ${sqlite}`)
        : fail(`SQLite ${sqlite} can lose commits after a power failure`, 'Run Node 24.15 or newer')
    },
  },
  {
    name: 'mode',
    look({ provider: { development }, described: { because } }) {
      return development
        ? warn(
            `Loaded by your own code this is development, because ${because}: it serves this machine only`,
            'Set PURVEYOR_PUBLIC_URL to the https address that shops call; `purveyor serve` is production anyway',
          )
        : ok(`This is production, because ${because}`)
    },
  },
  {
    name: 'production gate',
    look({ inspection, production }) {
      const faults = inspection.productionFaults()
      if (faults.length > 0)
        return fail(faults.join('; '), 'Fix these: purveyor serve does not start with them')
      return production ? ok('serve would start') : skipped('Run with --production')
    },
  },
  {
    name: 'secret',
    look({ described, production }) {
      return described.ownSecret
        ? ok('PURVEYOR_SECRET is set')
        : failIn(
            production,
            'The secret is the public one of development',
            'Set PURVEYOR_SECRET: openssl rand -base64 32',
          )
    },
  },
  {
    name: 'previous secret',
    look: ({ described }) =>
      described.previousSecret
        ? warn(
            'PURVEYOR_PREVIOUS_SECRET is still set',
            'Remove it from every node once everything is sealed with the new secret',
          )
        : ok('No change of the secret is in progress'),
  },
  {
    name: 'sealed texts',
    async look({ inspection }) {
      const change = await inspection.secretChange()
      if (!change) return ok('No change of the secret is in progress')
      const { left, waitsFor } = change
      if (left === 0) return ok('Everything is sealed with the new secret')
      const says = `${left} texts are sealed with a previous secret`
      return waitsFor === 0
        ? warn(says, 'Leave PURVEYOR_PREVIOUS_SECRET set: a running provider seals them again')
        : warn(
            `${says}; ${waitsFor} running nodes do not have the new secret`,
            'Give every node the new secret, and the previous one beside it',
          )
    },
  },
  {
    name: 'secrets on disk',
    look() {
      if (!existsSync('.env')) return ok('There is no .env here')
      const others = statSync('.env').mode & 0o077
      return others === 0 || process.platform === 'win32'
        ? ok('Only its owner can read .env')
        : warn('.env can be read by other users of this machine', 'chmod 600 .env')
    },
  },
  {
    name: 'loopback',
    look({ described, production }) {
      if (!described.allowLoopback) return ok('Loopback addresses are blocked')
      return failIn(production, 'Loopback addresses are allowed', 'Remove PURVEYOR_ALLOW_LOOPBACK')
    },
  },
  {
    name: 'log level',
    look({ described, production }) {
      const chatty = ['trace', 'debug'].includes(described.logLevel)
      return production && chatty
        ? warn(`The log is verbose (${described.logLevel})`, 'Set PURVEYOR_LOG_LEVEL=info')
        : ok(`The log level is ${described.logLevel}`)
    },
  },
  {
    name: 'store',
    look(patient) {
      const { described, production } = patient
      if (described.volatile || described.databaseUrl === 'sqlite::memory:') {
        return failIn(
          production,
          'The store is in memory and keeps nothing',
          'Set PURVEYOR_DATABASE_URL to a file or a PostgreSQL server',
        )
      }
      const file = fileOf(patient)
      if (file === undefined) return ok('The store is a database server')
      if (!existsSync(file))
        return warn(`There is no store at ${file} yet`, 'The first start of the provider creates it')
      return ok(`The store is ${file}`)
    },
  },
  {
    name: 'store mode',
    look(patient) {
      const file = fileOf(patient)
      if (file === undefined || !existsSync(file))
        return skipped('The store is not a file, or does not exist yet')
      const database = new DatabaseSync(file, { readOnly: true })
      try {
        const mode = String(Object.values(database.prepare('pragma journal_mode').get() ?? {})[0])
        const sound = String(Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0])
        if (sound !== 'ok')
          return fail(`The file is damaged: ${sound.slice(0, 100)}`, 'Restore the last backup')
        return mode === 'wal'
          ? ok('Write-ahead log, and the file is sound')
          : fail(`Its journal is ${mode}`, 'Start the provider once: it sets WAL')
      } finally {
        database.close()
      }
    },
  },
  {
    name: 'store rights',
    look(patient) {
      const file = fileOf(patient)
      if (file === undefined || !existsSync(file))
        return skipped('The store is not a file, or does not exist yet')
      const [open] = process.platform === 'win32' ? [] : openToOthers(file)
      return open === undefined
        ? ok('Only its owner can read the file')
        : warn(`Other users of this machine can open ${open}`, `chmod 600 ${open}, as the user that owns it`)
    },
  },
  {
    name: 'disk',
    look(patient) {
      const file = fileOf(patient)
      if (file === undefined) return skipped('There is no file')
      let folder = dirname(file)
      while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
      const { bavail, bsize } = statfsSync(folder)
      const free = (bavail * bsize) / gigabyte
      const says = `${free.toFixed(1)} GB are free on the disk of the store`
      if (free < 0.1) return fail(says, 'Free disk space: a full store answers 503')
      return free < 1 ? warn(says, 'Free disk space before it is full') : ok(says)
    },
  },
]
