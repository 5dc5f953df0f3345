import type { Request, Response } from 'express'
import type { StorePort } from '../store-port.ts'
import type { World } from '../world.ts'

/** In milliseconds. */
const lookEvery = 1_000
/** Beside changes of payments other things happen: a lane closes, a node falls silent. */
const renewEvery = 15_000
const most = 100

export type LiveStream = ReturnType<typeof liveStream>

/** Wakes open pages when something has changed, at most once a second. While nobody listens the store is not asked. */
export function liveStream(store: StorePort, world: World) {
  const open = new Set<Response>()
  let [last, saidAt, isRunning] = [0, 0, false]

  async function run(): Promise<void> {
    isRunning = true
    while (open.size > 0) {
      await new Promise<void>((resolve) => void world.after(lookEvery, resolve))
      const newest = await store.lastChange().catch(() => last)
      const now = world.now()
      if (newest === last && now - saidAt < renewEvery) continue
      ;[last, saidAt] = [newest, now]
      for (const res of open) res.write(`id: ${last}\ndata: ${last}\n\n`)
    }
    isRunning = false
  }

  return {
    add(req: Request, res: Response): void {
      if (open.size >= most) return void res.status(503).end()
      res
        .writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
        .write('retry: 5000\n\n')
      open.add(res)
      req.once('close', () => open.delete(res))
      if (!isRunning) void run()
    },
    /** Ends all streams: a browser asks again in 5 s. */
    end(): void {
      for (const res of open) res.end()
      open.clear()
    },
  }
}
