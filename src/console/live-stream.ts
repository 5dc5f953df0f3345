import type { Request, Response } from 'express'
import type { StorePort } from '../store-port.ts'
import type { World } from '../world.ts'

/** In milliseconds. */
const lookEvery = 1_000
/** Beside changes of payments other things happen: a lane closes, a node falls silent. */
const renewEvery = 15_000
const most = 100

/** Wakes open pages when something has changed, at most once a second. While nobody listens the store is not asked. */
export class LiveStream {
  readonly #store: StorePort
  readonly #world: World
  readonly #open = new Set<Response>()
  #last = 0
  #saidAt = 0
  #running = false

  constructor(store: StorePort, world: World) {
    this.#store = store
    this.#world = world
  }

  add(req: Request, res: Response): void {
    if (this.#open.size >= most) {
      res.status(503).end()
      return
    }
    res
      .writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      .write('retry: 5000\n\n')
    this.#open.add(res)
    req.once('close', () => this.#open.delete(res))
    if (!this.#running) void this.#run()
  }

  /** Ends all streams: a browser asks again in 5 s. */
  end(): void {
    for (const res of this.#open) res.end()
    this.#open.clear()
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#open.size > 0) {
      await new Promise<void>((resolve) => void this.#world.after(lookEvery, resolve))
      const last = await this.#store.lastChange().catch(() => this.#last)
      const now = this.#world.now()
      if (last === this.#last && now - this.#saidAt < renewEvery) continue
      this.#last = last
      this.#saidAt = now
      for (const res of this.#open) res.write(`id: ${last}\ndata: ${last}\n\n`)
    }
    this.#running = false
  }
}
