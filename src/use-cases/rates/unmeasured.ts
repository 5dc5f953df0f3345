import { LRUCache } from 'lru-cache'
import type { Parcels } from '../../rates/parcels.ts'
import type { Log } from '../../world.ts'

/** Logs once for each adapter and shop which figures of its carts are not known in full, so that rules about them miss a part. */
export class Unmeasured {
  readonly #logged = new LRUCache<string, true>({ max: 10_000 })

  note(adapter: string, shop: string, { unknown }: Parcels, log: Log): void {
    for (const figure of unknown) {
      const key = `${adapter} ${shop} ${figure}`
      if (this.#logged.has(key)) continue
      this.#logged.set(key, true)
      log.warn({ adapter, shop }, `${figure} of a cart not known in full: only the known part counts`)
    }
  }
}
