import { existsSync, statSync } from 'node:fs'
import { counted } from '../../printable.ts'
import { type NodeRuns, type NodeSeen, StoreUnavailable } from '../../store.ts'
import { nodeLives } from '../../use-cases/shops/rotate-secret.ts'
import { nodesOn } from '../nodes/nodes.ts'
import { storeTime } from '../store.ts'
import { type Checks, fail, inStore, ok, skipped, warn } from './check.ts'

/** So many processes are named. */
const most = 3

/** The secret of this shell, of the nodes that run, and of what is stored. */
export const secretChecks: Checks = {
  'previous secret': ({ described }) =>
    described.previousSecret
      ? warn(
          'PURVEYOR_PREVIOUS_SECRET is still set',
          'Remove it from every node once everything is sealed with the new secret',
        )
      : ok('PURVEYOR_PREVIOUS_SECRET is not set'),
  'secret of nodes': inStore(async (store, { inspection }) => {
    const ended = new Set(
      (await nodesOn(store))
        .filter(({ died }) => died)
        .flatMap(({ processes }) => processes.map(({ id }) => id)),
    )
    const listed = await store.nodes(storeTime(store) - nodeLives)
    const nodes = listed.filter(({ id }) => !ended.has(id))
    const [own = '', ...previous] = inspection.opens()
    const newer = nodes.filter(({ opens }) => opens.includes(own) && opens[0] !== own)
    const without = nodes.filter(({ opens }) => !opens.includes(own))
    if (newer.length > 0)
      return warn(
        `The secret is being changed: ${processes(newer)} with a newer one than this shell`,
        'Set PURVEYOR_SECRET here as it is there, and the one of this shell as PURVEYOR_PREVIOUS_SECRET',
      )
    if (without.length === 0)
      return nodes.length > 0
        ? ok('Every running node has the secret of this shell')
        : skipped('No provider runs on this store')
    const waits = without.every(({ opens }) => opens.some((one) => previous.includes(one)))
    return waits
      ? warn(
          `The secret is being changed: ${processes(without)} without the new one`,
          'Give every node the new secret, and the previous one beside it',
        )
      : fail(
          `${processes(without)} with another PURVEYOR_SECRET than this shell`,
          'Set the same PURVEYOR_SECRET here and on every node; purveyor nodes list shows where they run',
        )
  }),
  'sealed texts': inStore(async (_store, { inspection }) => {
    const change = await inspection.secretChange().catch(asFault)
    if (change instanceof StoreUnavailable) return fail(change.message, 'purveyor explain STORE_UNAVAILABLE')
    if (!change) return ok('The store opens with the secret of this shell')
    if (change.left === 0) return ok('Everything is sealed with the new secret')
    const says = `Sealed with a previous secret: ${counted(change.left, 'text')}`
    return change.waitsFor === 0
      ? warn(says, 'Leave PURVEYOR_PREVIOUS_SECRET set: a running provider seals them again')
      : warn(
          `${says}; without the new one: ${counted(change.waitsFor, 'running node')}`,
          'Give every node the new secret, and the previous one beside it',
        )
  }),
  'secrets on disk'() {
    if (!existsSync('.env')) return ok('There is no .env here')
    const others = statSync('.env').mode & 0o077
    return others === 0 || process.platform === 'win32'
      ? ok('Only its owner can read .env')
      : warn('.env can be read by other users of this machine', 'chmod 600 .env')
  },
}

function asFault(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  throw error
}

/** A worker is named with the process that `nodes list` shows. */
const whereOf = ({ host, pid, mainPid }: NodeRuns): string =>
  mainPid === pid ? `${host} pid ${pid}` : `${host} pid ${mainPid}, its worker ${pid}`

/** Such as `2 processes run (web-1 pid 71, web-2 pid 9)`. */
function processes(nodes: readonly NodeSeen[]): string {
  const named = nodes.slice(0, most).map(({ id, runs }) => (runs ? whereOf(runs) : id.slice(0, 8)))
  const where = [...named, ...(nodes.length > most ? ['...'] : [])].join(', ')
  return `${counted(nodes.length, 'process runs', 'processes run')} (${where})`
}
