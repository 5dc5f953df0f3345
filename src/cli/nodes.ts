import { thisMachine } from '../observability/this-machine.ts'
import type { StorePort } from '../store.ts'
import { listNodes, type NodeView, versionsOf } from '../use-cases/list-nodes.ts'
import { print, table, time, when } from './print.ts'
import { storeTime, withStore } from './store.ts'

/** The nodes on a store, without those that have died; if none is left, with them. */
export async function nodesOn(store: StorePort): Promise<NodeView[]> {
  const nodes = await listNodes(store, storeTime(store), thisMachine)
  const alive = nodes.filter(({ died }) => !died)
  return alive.length > 0 ? alive : nodes
}

/** Lists the nodes on the store: where they run, which code, and since when. */
export function list({ json }: { json?: boolean }): Promise<void> {
  return withStore(async (store) => {
    const nodes = await nodesOn(store)
    const versions = versionsOf(nodes)
    const silent = silentOf(nodes)
    print(json, nodes, () => [
      ...table(nodes, 'No provider runs on this store.', {
        node: ({ node }) => node.slice(0, 8),
        host: ({ host }) => host,
        pid: ({ pid }) => pid,
        version: ({ version = 'older' }) => version,
        build: ({ build }) => build,
        workers: workersOf,
        since: ({ since }) => when(since),
        'last seen': ({ seenAt }) => time(seenAt),
      }),
      ...(versions.length > 1
        ? ['', `Nodes run different versions: ${versions.join(', ')}. Finish the upgrade.`]
        : []),
      ...(nodes.some(({ runs }) => runs) && silent ? ['', `${silent.says}. ${silent.remedy}`] : []),
      ...(nodes.length > 0 && !nodes.some(({ runs }) => runs) ? ['', standstillOf(nodes)!] : []),
    ])
  })
}

const workersOf = ({ workers, silent, died }: NodeView): string =>
  died ? '0 (died)' : silent > 0 ? `${workers} (${silent} silent)` : `${workers}`

/** Workers of running nodes that hang. */
export function silentOf(nodes: readonly NodeView[]): { says: string; remedy: string } | undefined {
  const found = nodes
    .filter(({ died }) => !died)
    .flatMap(({ host, workers, processes }) =>
      processes.flatMap((one) => (one.silent ? [{ host, workers, ...one }] : [])),
    )
  const [first] = found
  if (!first) return undefined
  const { host = 'an older version', pid, seenAt } = first
  const which = found.length === 1 ? 'A process' : `${found.length} processes, one of them`
  return {
    says: `${which} on ${host}${pid === undefined ? '' : `, process id ${pid},`} has noted nothing since ${time(seenAt)}`,
    remedy: 'If it hangs, end that one process: another one replaces it',
  }
}

/** Why nothing is tried now, if no node has written to the store within the last minute. */
export function standstillOf(nodes: readonly NodeView[]): string | undefined {
  if (nodes.some(({ runs }) => runs)) return undefined
  const [last] = nodes.filter(({ died }) => !died).toSorted((one, other) => other.seenAt - one.seenAt)
  if (!last) return 'No provider runs on this store: nothing is tried until one starts.'
  const { host = 'an older version', pid, seenAt } = last
  const isHere = host === thisMachine.host && pid !== undefined
  return isHere
    ? `The provider runs (process id ${pid}) and has written nothing to the store since ${time(seenAt)}: the store takes no writes, such as with a full disk, or the provider hangs. Run: purveyor doctor`
    : `No provider has written to the store since ${time(seenAt)} (the last one on ${host}): none runs, or none reaches the store.`
}

/** The same for a command that lists what waits. */
export const standstill = async (store: StorePort): Promise<string[]> => {
  const says = standstillOf(await nodesOn(store))
  return says === undefined ? [] : ['', says]
}
