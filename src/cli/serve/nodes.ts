import { hostname } from 'node:os'
import { type NodeView, nodesOf, thisMachine, versionsOf } from '../../observability/list-nodes.ts'
import { counted } from '../../printable.ts'
import type { StorePort } from '../../store-port.ts'
import { firstOf, storeTime } from '../provider/store.ts'
import { group, onStore } from '../table.ts'
import { type Cells, printTable, time, when } from '../terminal/print.ts'

/** The nodes on a store, also those that have died, as this machine sees them. */
export const nodesOn = async (store: StorePort): Promise<NodeView[]> =>
  nodesOf(await store.nodes(0), storeTime(store), thisMachine)

const list = onStore({
  description: 'list the nodes that run on the store',
  examples: ['purveyor nodes list'],
  async run({ json }, store) {
    const all = await nodesOn(store)
    const alive = all.filter(({ died }) => !died)
    const nodes = alive.length > 0 ? alive : all
    const versions = versionsOf(nodes)
    const runs = nodes.some((one) => one.runs)
    const silent = runs ? silentOf(nodes) : undefined
    const notes = [
      versions.length > 1 && `Nodes run different versions: ${versions.join(', ')}. Finish the upgrade.`,
      silent && `${silent.says}. ${silent.remedy}`,
      nodes.length > 0 && !runs && standstillOf(all),
    ]
    const cells: Cells<NodeView> = {
      node: ({ node }) => node.slice(0, 8),
      ...{ host: 'host', pid: 'pid', version: 'version', build: 'build' },
      workers: ({ workers, silent, died }) =>
        died ? '0 (died)' : silent > 0 ? `${workers} (${silent} silent)` : `${workers}`,
      since: ({ since }) => when(since),
      'last seen': 'seenAt',
    }
    const below = notes.flatMap((line) => (line ? ['', line] : []))
    printTable(json, nodes, 'No provider runs on this store.', cells, below)
  },
})

/** Processes of nodes that may hang: where they run, and how to end them. */
export function silentOf(nodes: readonly NodeView[]): { says: string; remedy: string } | undefined {
  const found = nodes
    .filter(({ died }) => !died)
    .flatMap(({ host, processes }) =>
      processes.flatMap(({ silent, pid, seenAt }) => (silent ? [{ host, pid, seenAt }] : [])),
    )
  if (found.length === 0) return undefined
  const where = found.map(({ host, pid, seenAt }) => `on ${host}, process id ${pid}, since ${time(seenAt)}`)
  return {
    says: `${counted(found.length, 'process has', 'processes have')} written nothing to the store: ${firstOf(where, 5, '; ')}`,
    // A process that loops or was stopped handles no other signal.
    remedy: `End each one that hangs on its machine: kill -9 ${found.length === 1 ? found[0]!.pid : '<pid>'}. Start it again if no supervisor does`,
  }
}

/** Why nothing is tried now, if no node has written to the store within the last minute. `nodes` includes those that have died. */
export function standstillOf(nodes: readonly NodeView[]): string | undefined {
  if (nodes.some(({ runs }) => runs)) return undefined
  const [last, ...others] = nodes.toSorted((one, other) => other.seenAt - one.seenAt)
  if (!last || [last, ...others].every(({ died }) => died))
    return `No provider runs on this store${last ? ` (the last one, on ${last.host}, ended after ${time(last.seenAt)})` : ''}: nothing is tried until one starts.`
  const here = [last, ...others].find(({ died, host }) => !died && host === hostname())
  return here
    ? `The provider runs (process id ${here.pid}) and has written nothing to the store since ${time(here.seenAt)}: the store takes no writes, for example because its disk is full, or the provider hangs. Run: purveyor doctor`
    : `No provider has written to the store since ${time(last.seenAt)} (the last one on ${last.host}): none runs, or none reaches the store.`
}

export const standstill = async (store: StorePort): Promise<string[]> => {
  const says = standstillOf(await nodesOn(store))
  return says === undefined ? [] : ['', says]
}

export const command = group('inspect the running nodes: version, build and workers', { list })
