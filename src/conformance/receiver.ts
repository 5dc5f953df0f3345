import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { createServer, listenOn } from '../http/server.ts'
import { withoutSlash } from '../shops/shop.ts'

/** A call to the checker in its role as the shop. */
export interface ReceivedCall {
  /** Path and query, byte for byte. */
  path: string
  body: string
}

export const webhookPathOf = (orderId: number) => `/webhooks/${orderId}`

/** Plays the shop: receives webhooks and returning customers. */
export class Receiver {
  readonly calls: ReceivedCall[] = []
  readonly url: string
  /** The status with which a path is answered, which may be delayed. Default: 200. */
  readonly answers = new Map<string, () => Promise<number> | number>()
  /** Paths whose newest call was answered with 2xx. */
  readonly accepted = new Set<string>()
  readonly #server: Server

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
    server.on('request', async (req: IncomingMessage, res: ServerResponse) => {
      const body = await text(req).catch(() => undefined)
      if (body === undefined) return
      const { url: path = '/' } = req
      this.calls.push({ path, body })
      const place = path.split('?')[0]!
      const status = (await this.answers.get(place)?.()) ?? 200
      this.accepted[status >= 200 && status < 300 ? 'add' : 'delete'](place)
      res.writeHead(status).end()
    })
  }

  /** Listens on this machine. `publicUrl` is its address for a provider elsewhere. */
  static async listen(publicUrl: string | undefined, port = 0): Promise<Receiver> {
    const server = createServer()
    const own = `http://127.0.0.1:${await listenOn(server, port, '127.0.0.1')}`
    return new Receiver(server, (publicUrl && withoutSlash(publicUrl)) ?? own)
  }

  /** Waits for a number of webhooks of a test order. Resolves with those received, even if fewer. */
  async wait(orderId: number, count: number, timeout: number): Promise<ReceivedCall[]> {
    const path = webhookPathOf(orderId)
    const received = () => this.calls.filter((call) => call.path.split('?')[0] === path)
    const until = performance.now() + timeout
    while (received().length < count && performance.now() < until) await setTimeout(10)
    return received()
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
