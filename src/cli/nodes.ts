import { listNodes, type NodeView, versionsOf } from '../use-cases/list-nodes.ts'
import { print, table, time } from './print.ts'
import { storeTime, withStore } from './store.ts'

/** Lists the nodes on the store: where they run, which code, and since when. */
export function list({ json }: { json?: boolean }): Promise<void> {
  return withStore(async (store) => {
    const nodes = await listNodes(store, storeTime(store))
    const versions = versionsOf(nodes)
    print(json, nodes, () => [
      ...table(
        ['node', 'host', 'pid', 'version', 'build', 'workers', 'since', 'last seen'],
        nodes.map(rowOf),
        'No provider runs on this store.',
      ),
      ...(versions.length > 1
        ? ['', `Nodes run different versions: ${versions.join(', ')}. Finish the upgrade.`]
        : []),
      ...(nodes.length > 0 && versions.length === 0
        ? ['', 'None of them was seen in the last minute: no provider runs, or none reaches the store.']
        : []),
    ])
  })
}

const rowOf = ({ node, host = '', pid, version, build = '', workers, since, seenAt }: NodeView): string[] => [
  node.slice(0, 8),
  host,
  pid === undefined ? '' : String(pid),
  version ?? 'older',
  build,
  String(workers),
  since === undefined ? '' : time(since),
  time(seenAt),
]
