import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { misspeltVariables } from '../../provider/configuration.ts'
import { sqliteFileOf } from '../../stores/open.ts'
import { openToOthers } from '../../stores/own-file.ts'
import { isFull, roomFor, roomWords } from '../../stores/room.ts'
import { atLeast } from '../../version.ts'
import { type Checks, fail, inStore, ok, type Patient, skipped, warn } from './check.ts'
import { productionChecks } from './production.ts'

const megabyte = 1024 ** 2
const gigabyte = 1024 ** 3

const fileOf = ({ described }: Patient): string | undefined => {
  const file = sqliteFileOf(described.databaseUrl)
  return file === undefined || file === ':memory:' || described.volatile ? undefined : resolve(file)
}

/** The machine, its settings and its disk. */
export const machineChecks: Checks = {
  node() {
    const { node } = process.versions
    return atLeast(node, '24.15')
      ? ok(`Node ${node}`)
      : fail(`Node ${node} is too old`, 'Run Node 24.15 or newer: npm install --save-prod node@24')
  },
  sqlite() {
    const sqlite = process.versions.sqlite!
    return atLeast(sqlite, '3.51.3')
      ? ok(`SQLite ${sqlite}`)
      : fail(`SQLite ${sqlite} can lose commits after a power failure`, 'Run Node 24.15 or newer')
  },
  mode({ provider: { development }, described: { because } }) {
    return development
      ? warn(
          `In your own code this provider is in development, because ${because}: it serves this machine only`,
          'Set PURVEYOR_PUBLIC_URL to the https address that shops call; `purveyor serve` is production anyway',
        )
      : ok(`This is production, because ${because}`)
  },
  ...productionChecks,
  variables() {
    const [{ path, message } = {}] = misspeltVariables(process.env)
    return path ? warn(`${path} ${message}`, 'Correct its name') : ok('No variable is misspelt')
  },
  'log level'({ described, production }) {
    const chatty = ['trace', 'debug'].includes(described.logLevel)
    return production && chatty
      ? warn(`The log is verbose (${described.logLevel})`, 'Set PURVEYOR_LOG_LEVEL=info')
      : ok(`The log level is ${described.logLevel}`)
  },
  store(patient) {
    const { described, storeFault, notServed } = patient
    if (storeFault) return fail(storeFault.message, 'purveyor explain STORE_UNAVAILABLE')
    if (notServed !== undefined) return fail(notServed, 'purveyor explain STORE_MOVED')
    if (described.volatile) return skipped('The store is in memory')
    const file = fileOf(patient)
    if (file === undefined) return ok('The store is a database server')
    if (!existsSync(file))
      return warn(`There is no store at ${file} yet`, 'The first start of the provider creates it')
    return ok(`The store is ${file}`)
  },
  'store writes': inStore(async (store) => {
    try {
      await store.check()
      return ok('The store takes writes')
    } catch (error) {
      return fail((error as Error).message, 'purveyor explain STORE_UNAVAILABLE')
    }
  }),
  'store mode'(patient) {
    const file = fileOf(patient)
    if (file === undefined || !existsSync(file))
      return skipped('The store is not a file, or does not exist yet')
    if (patient.storeFault) return skipped('The store does not open')
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
  'store rights'(patient) {
    const file = fileOf(patient)
    if (file === undefined || !existsSync(file))
      return skipped('The store is not a file, or does not exist yet')
    const [open] = process.platform === 'win32' ? [] : openToOthers(file)
    return open === undefined
      ? ok('Only its owner can read the file')
      : warn(`Other users of this machine can open ${open}`, `chmod 600 ${open}, as the user that owns it`)
  },
  disk(patient) {
    const file = fileOf(patient)
    if (file === undefined) return skipped('There is no file')
    const room = roomFor(file)
    if (!room) return skipped('The system does not say how much space is free')
    if (isFull(room))
      return fail(
        `The disk of the store is full: ${roomWords(room)}`,
        'Free disk space: a full store answers 503',
      )
    const [free, unit] = room.bytes < gigabyte ? [room.bytes / megabyte, 'MB'] : [room.bytes / gigabyte, 'GB']
    const says = `${free.toFixed(1)} ${unit} are free on the disk of the store`
    if (room.bytes < 100 * megabyte) return fail(says, 'Free disk space: a full store answers 503')
    return room.bytes < gigabyte ? warn(says, 'Free disk space before it is full') : ok(says)
  },
}
