import type { NodeRuns, StorePort } from '../store-port.ts'
import type { World } from '../world.ts'
import type { Seal, SealedRow } from './seal.ts'

const second = 1_000
/** How often a node notes that it runs. */
const noteEvery = 15 * second
/** A node that was not noted for so long has died. */
export const nodeLives = 60 * second
/** How long a silent one is listed: it may hang, or be unable to write. */
const listedFor = 900 * second
/** How many texts are sealed again in one commit, and the pause for other commands after it, in milliseconds. */
const batch = 25
const pause = 100
/** How often to search for remaining texts while a previous secret is set, in milliseconds. */
const lookAgain = 900 * second
type Sealed = { store: StorePort; seal: Seal; world: World }

/**
 * Changes the secret of a store without a gap. Every node stores the ids of the secrets that it can open. A node with a previous secret
 * keeps sealing with it until all running nodes can open the new one; then it seals existing texts again in batches.
 */
export class SecretRotation {
  /** The texts sealed with a previous secret, as far as this node knows. */
  left = 0
  /** The address that shops call, once this node listens. */
  url: string | undefined
  readonly #sealing: Sealed
  readonly #runs: Omit<NodeRuns, 'since' | 'url'>
  #since = 0
  #notedAt = Number.NEGATIVE_INFINITY
  #waitsFor = 0
  /** Whether the last search found texts to seal, and those of the search that do not open. */
  #isSealing = false
  readonly #broken = new Set<string>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #sealed = 0

  /** `runs` is what this process is, for the list of nodes. */
  constructor(sealing: Sealed, runs: Omit<NodeRuns, 'since' | 'url'>) {
    this.#sealing = sealing
    this.#runs = runs
  }

  /** Reports that this node runs, before it serves any call. */
  async begin(): Promise<void> {
    this.#since = this.#sealing.world.now()
    await this.#note()
  }

  /** Reports the address that shops call, for commands that print it. */
  async listensAt(url: string): Promise<void> {
    this.url = url
    await this.#note()
  }

  /** This node has stopped, so others no longer wait for it. */
  async end(): Promise<void> {
    const { store, world } = this.#sealing
    if (this.#notedAt === Number.NEGATIVE_INFINITY) return
    this.#notedAt = Number.NEGATIVE_INFINITY
    await store.forgetNode(world.node).catch(() => {})
  }

  /** Does the next part of the work, and resolves with the milliseconds until the next one. */
  async work(): Promise<number> {
    const { seal, world } = this.#sealing
    if (world.now() - this.#notedAt >= noteEvery) await this.#note()
    const untilNote = Math.max(0, this.#notedAt + noteEvery - world.now())
    if (seal.opens().length === 1 || !seal.usesNewest()) return untilNote
    if (!this.#isSealing && world.now() - this.#lookedAt < lookAgain) return untilNote
    await this.#sealSome()
    return this.#isSealing ? pause : untilNote
  }

  async #note(): Promise<void> {
    const { store, seal, world } = this.#sealing
    const now = world.now()
    const opens = seal.opens()
    const runs = { ...this.#runs, since: this.#since, url: this.url }
    const listed = await store.noteNode({ id: world.node, opens, runs }, { now, since: now - listedFor })
    const nodes = listed.filter(({ seenAt }) => seenAt >= now - nodeLives)
    this.#notedAt = now
    if (seal.usesNewest()) return
    this.left = await store.countSealedOtherwise(seal.beginning())
    const behind = nodes.filter((node) => !node.opens.includes(opens[0]!)).length
    const waits =
      'some running nodes do not have the new secret yet: texts are still sealed with the previous one'
    if (behind !== this.#waitsFor && behind > 0)
      world.log.warn({ code: 'SECRET_WAITS', nodes: behind, left: this.left }, waits)
    this.#waitsFor = behind
    if (behind > 0) return
    seal.useNewest()
    world.log.info({ left: this.left }, 'every node has the new secret: texts are sealed with it from now on')
  }

  async #sealSome(): Promise<void> {
    const { store, seal, world } = this.#sealing
    const nameOf = ({ kind, key }: SealedRow) => `${kind} ${key}`
    const found = await store.sealedOtherwise(seal.beginning(), batch + this.#broken.size)
    const page = found.filter((one) => !this.#broken.has(nameOf(one)))
    const anew = page.flatMap((was) => {
      try {
        return { was, sealed: seal.close(seal.open(was.sealed, was), was) }
      } catch (err) {
        this.#broken.add(nameOf(was))
        world.log.error({ code: 'STORE_UNAVAILABLE', kind: was.kind, err }, 'a sealed text does not open')
        return []
      }
    })
    if (anew.length > 0) await store.reseal(anew)
    this.#sealed += anew.length
    this.left = Math.max(0, this.left - anew.length)
    this.#isSealing = page.length > 0
    const sealed = this.#sealed
    if (this.#isSealing) {
      const about = { sealed, left: this.left }
      if (sealed % 1_000 < batch) world.log.info(about, 'texts are being sealed with the new secret')
      return
    }
    this.#broken.clear()
    this.#lookedAt = world.now()
    this.left = await store.countSealedOtherwise(seal.beginning())
    const done = 'everything is sealed with the new secret: remove PURVEYOR_PREVIOUS_SECRET'
    if (this.left === 0) world.log.warn({ code: 'SECRET_CHANGED', sealed }, done)
  }
}

/** The progress of a change of the secret, read from the store; `undefined` without a previous secret. */
export async function secretChange({ store, seal, world }: Sealed) {
  const [newest, ...previous] = seal.opens()
  if (previous.length === 0) return undefined
  const counted = store.countSealedOtherwise(seal.beginning())
  const [left, nodes] = await Promise.all([counted, store.nodes(world.now() - nodeLives)])
  /** Nodes that cannot open texts of the new secret yet: nothing is sealed with it before they can, or have stopped. */
  const waitsFor = nodes.filter(({ opens }) => !opens.includes(newest!)).length
  return { left, waitsFor }
}
