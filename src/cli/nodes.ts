import { listNodes, versionsOf } from '../use-cases/list-nodes.ts'
import { print, table, time, when } from './print.ts'
import { storeTime, withStore } from './store.ts'

/** Lists the nodes on the store: where they run, which code, and since when. */
export function list({ json }: { json?: boolean }): Promise<void> {
  return withStore(async (store) => {
    const nodes = await listNodes(store, storeTime(store))
    const versions = versionsOf(nodes)
    print(json, nodes, () => [
      ...table(nodes, 'No provider runs on this store.', {
        node: ({ node }) => node.slice(0, 8),
        host: ({ host }) => host,
        pid: ({ pid }) => pid,
        version: ({ version = 'older' }) => version,
        build: ({ build }) => build,
        workers: ({ workers }) => workers,
        since: ({ since }) => when(since),
        'last seen': ({ seenAt }) => time(seenAt),
      }),
      ...(versions.length > 1
        ? ['', `Nodes run different versions: ${versions.join(', ')}. Finish the upgrade.`]
        : []),
      ...(nodes.length > 0 && versions.length === 0
        ? ['', 'None of them was seen in the last minute: no provider runs, or none reaches the store.']
        : []),
    ])
  })
}
