import type { Workings } from '../workings.ts'
import { nodeLives } from './rotate-secret.ts'

/** The address that runs: of this node, or of the one that started last, because a command may be called without its port or address. */
export async function servedAt({ store, world, publicUrl, rotation }: Workings): Promise<string> {
  if (rotation?.url !== undefined) return rotation.url
  const running = (await store.nodes(world.now() - nodeLives)).flatMap(({ runs }) => (runs?.url ? runs : []))
  return running.toSorted((one, other) => other.since - one.since)[0]?.url ?? publicUrl
}
