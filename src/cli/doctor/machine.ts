import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { counted } from '../../printable.ts'
import { misspeltVariables } from '../../provider/configuration.ts'
import { productionRules } from '../../provider/mode.ts'
import { nodeLives } from '../../shops/rotate-secret.ts'
import { isFull, roomFor, roomWords } from '../../store/sqlite/errors.ts'
import { openToOthers } from '../../store/sqlite/own-file.ts'
import type { NodeSeen } from '../../store-port.ts'
import { sqliteFileOf } from '../../stores/open.ts'
import { firstOf } from '../provider/store.ts'
import { nodesOn } from '../serve/nodes.ts'
import { type Checks, fail, inStore, type Look, ok, type Patient, skip, warn } from './check.ts'

/** Looks for a broken rule of production. It is a fault there, and a warning before. */
const ruleLook =
  (name: string): Look =>
  ({ inspection, production }) => {
    const broken = inspection.brokenRules().find(({ check }) => check === name)
    if (!broken) return ok('Fit for production')
    return (production ? fail : warn)(`${broken.place} ${broken.text}`, broken.remedy)
  }

const fileOf = ({ described }: Patient): string | undefined => {
  const file = sqliteFileOf(described.databaseUrl)
  return file === undefined || file === ':memory:' || described.volatile ? undefined : resolve(file)
}

const inFile =
  (look: (file: string, patient: Patient) => ReturnType<Look>): Look =>
  (patient) => {
    const file = fileOf(patient)
    const isThere = file !== undefined && existsSync(file)
    return isThere ? look(file, patient) : skip('The store is not a file, or does not exist yet')
  }

export const machineChecks: Checks = {
  mode({ provider: { development }, described: { because } }) {
    if (!development) return ok(`This is production, because ${because}`)
    return warn(
      `If your own code starts it, this provider is in development, because ${because}: it serves this machine only`,
      'Set PURVEYOR_PUBLIC_URL to the https address that shops call; `purveyor serve` is production anyway',
    )
  },
  // One for each thing that production has a rule about, and one for whether production starts.
  ...Object.fromEntries(Object.values(productionRules).map(({ check }) => [check, ruleLook(check)])),
  'production gate'({ inspection, production }) {
    const count = inspection.brokenRules().length
    if (!production) return skip('Run with --production')
    if (count === 0) return ok('serve would start')
    return fail(`Breaks ${counted(count, 'rule')} of production`, 'Correct them, then start it')
  },
  variables() {
    const [{ path, message } = {}] = misspeltVariables(process.env)
    return path ? warn(`${path} ${message}`, 'Correct its name') : ok('No variable is misspelt')
  },
  'log level'({ described: { logLevel }, production }) {
    return production && ['trace', 'debug'].includes(logLevel)
      ? warn(`The log is verbose (${logLevel})`, 'Set PURVEYOR_LOG_LEVEL=info')
      : ok(`The log level is ${logLevel}`)
  },
  store(patient) {
    const { described, storeFault, notServed } = patient
    if (storeFault) return fail(storeFault.message, 'purveyor explain STORE_UNAVAILABLE')
    if (notServed !== undefined) return fail(notServed, 'purveyor explain STORE_MOVED')
    if (described.volatile) return skip('The store is in memory')
    const file = fileOf(patient)
    if (file === undefined) return ok('The store is a database server')
    if (!existsSync(file))
      return warn(`There is no store at ${file} yet`, 'The first start of the provider creates it')
    return ok(`The store is ${file}`)
  },
  'store writes': inStore(async (store) => {
    await store.check()
    return ok('The store takes writes')
  }),
  'store mode': inFile((file, { storeFault }) => {
    if (storeFault) return skip('The store does not open')
    const database = new DatabaseSync(file, { readOnly: true })
    const pragma = (name: string) => String(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0])
    try {
      const [mode, sound] = [pragma('journal_mode'), pragma('quick_check(1)')]
      if (sound !== 'ok')
        return fail(`The file is damaged: ${sound.slice(0, 100)}`, 'Restore the last backup')
      return mode === 'wal'
        ? ok('Write-ahead log, and the file is sound')
        : fail(`Its journal is ${mode}`, 'Start the provider once: it sets WAL')
    } finally {
      database.close()
    }
  }),
  'store rights': inFile((file) => ownFile(file, 'the file')),
  disk(patient) {
    const file = fileOf(patient)
    if (file === undefined) return skip('There is no file')
    const room = roomFor(file)
    if (!room) return skip('The system does not report how much space is free')
    const megabytes = room.bytes / 1024 ** 2
    const free = megabytes < 1024 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
    const says = isFull(room)
      ? `The disk of the store is full: ${roomWords(room)}`
      : `${free} free on the disk of the store`
    if (isFull(room) || megabytes < 100) return fail(says, 'Free disk space: a full store answers 503')
    return megabytes < 1024 ? warn(says, 'Free disk space before it is full') : ok(says)
  },
  'secret of nodes': inStore(async (store, now, { inspection }) => {
    const died = (await nodesOn(store)).filter((one) => one.died).flatMap(({ processes }) => processes)
    const listed = await store.nodes(now - nodeLives)
    const nodes = listed.filter((one) => !died.some(({ id }) => id === one.id))
    const [own = '', ...previous] = inspection.opens()
    const newer = nodes.filter(({ opens }) => opens.includes(own) && opens[0] !== own)
    const without = nodes.filter(({ opens }) => !opens.includes(own))
    if (nodes.length === 0) return skip('No provider runs on this store')
    if (newer.length > 0)
      return warn(
        `The secret is being changed: ${processes(newer)} with a newer secret than this shell`,
        'In this shell set the new PURVEYOR_SECRET, and the present one as PURVEYOR_PREVIOUS_SECRET',
      )
    if (without.length === 0) return ok('Every running node has the secret of this shell')
    if (without.every(({ opens }) => opens.some((one) => previous.includes(one))))
      return warn(`The secret is being changed: ${processes(without)} without the new one`, giveBoth)
    return fail(
      `${processes(without)} with another PURVEYOR_SECRET than this shell`,
      'Set the same PURVEYOR_SECRET here and on every node; purveyor nodes list shows where they run',
    )
  }),
  'sealed texts': inStore(async (_store, _now, { inspection }) => {
    const change = await inspection.secretChange()
    const done = 'Everything is sealed with the new secret, and PURVEYOR_PREVIOUS_SECRET is still set'
    if (!change) return ok('The store opens with the secret of this shell')
    if (change.left === 0) return warn(done, 'Remove it from every node')
    const says = `Sealed with a previous secret: ${counted(change.left, 'text')}`
    return change.waitsFor === 0
      ? warn(says, 'Leave PURVEYOR_PREVIOUS_SECRET set: a running provider seals them again')
      : warn(`${says}; without the new one: ${counted(change.waitsFor, 'running node')}`, giveBoth)
  }),
  'secrets on disk': () => (existsSync('.env') ? ownFile('.env', '.env') : ok('There is no .env here')),
}

function ownFile(file: string, what: string) {
  const [open] = process.platform === 'win32' ? [] : openToOthers(file)
  return open === undefined
    ? ok(`Only its owner can read ${what}`)
    : warn(`Other users of this machine can open ${open}`, `chmod 600 ${open}, as the user that owns it`)
}

const giveBoth = 'Give every node the new secret, and the previous one beside it'

/** Such as `2 processes run (web-1 pid 71, web-2 pid 9)`. Of workers the process is named that `nodes list` shows. */
function processes(nodes: readonly NodeSeen[]): string {
  const named = new Set(
    nodes.map(({ id, runs }) => (runs ? `${runs.host} pid ${runs.mainPid}` : id.slice(0, 8))),
  )
  return `${counted(nodes.length, 'process runs', 'processes run')} (${firstOf([...named], 3)})`
}
