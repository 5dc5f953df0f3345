import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { createServer, listenOn } from '../http/server.ts'
import { withoutSlash } from '../shops/shop.ts'

/** A call to the checker in its role as the shop. */
export interface ReceivedCall {
  method: string
  /** Path and query, byte for byte. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
  at: number
}

/** The checker's answer to a webhook. It may be delayed. */
export type WebhookAnswer = () => Promise<number> | number

/** Plays the shop: receives webhooks and returning customers. */
export class Receiver {
  readonly calls: ReceivedCall[] = []
  /** The address of the shop. */
  readonly url: string
  readonly #answers = new Map<string, WebhookAnswer>()
  /** Paths whose newest call was answered with 2xx. */
  readonly #accepted = new Set<string>()
  readonly #server: Server

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      let body = ''
      req.on('data', (chunk) => {
        if (body.length < 64 * 1024) body += chunk
      })
      req.on('end', async () => {
        const { method = '', url: path = '/', headers } = req
        this.calls.push({ method, path, headers, body, at: performance.now() })
        const place = path.split('?')[0]!
        const status = (await this.#answers.get(place)?.()) ?? 200
        this.#accepted[status >= 200 && status < 300 ? 'add' : 'delete'](place)
        res.writeHead(status).end()
      })
    })
  }

  /** Listens on this machine. `publicUrl` is its address for a provider elsewhere. */
  static async listen(publicUrl: string | undefined, port = 0): Promise<Receiver> {
    const server = createServer()
    const own = `http://127.0.0.1:${await listenOn(server, port, '127.0.0.1')}`
    return new Receiver(server, (publicUrl && withoutSlash(publicUrl)) ?? own)
  }

  /** Sets the answer to calls of a path. Default: 200. */
  answer(path: string, how: WebhookAnswer): void {
    this.#answers.set(path, how)
  }

  /** Answers 200 to every call from now on. */
  acceptAll(): void {
    this.#answers.clear()
  }

  /** Whether the newest call to a path was answered with 2xx. */
  hasAccepted(path: string): boolean {
    return this.#accepted.has(path)
  }

  /** Waits for a number of calls to a path. Resolves with the calls received, even if fewer. */
  async wait(path: string, count: number, timeout: number): Promise<ReceivedCall[]> {
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
