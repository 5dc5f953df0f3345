import type { Server } from 'node:http'
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
  readonly #answers = new Map<string, WebhookAnswer>()
  /** Paths whose newest call was answered with 2xx. */
  readonly #accepted = new Set<string>()
  readonly #server: Server
  #url: string | undefined

  private constructor(server: Server) {
    this.#server = server
  }

  /** Listens on this machine. `publicUrl` is its address for a provider elsewhere. */
  static async listen(publicUrl: string | undefined, port = 0): Promise<Receiver> {
    const server = createServer((req, res) => {
      let body = ''
      req.on('data', (chunk) => {
        if (body.length < 64 * 1024) body += chunk
      })
      req.on('end', async () => {
        const { method = '', url: path = '/', headers } = req
        receiver.calls.push({ method, path, headers, body, at: performance.now() })
        const place = path.split('?')[0]!
        const status = (await receiver.#answers.get(place)?.()) ?? 200
        receiver.#accepted[status >= 200 && status < 300 ? 'add' : 'delete'](place)
        res.writeHead(status).end()
      })
    })
    const receiver = new Receiver(server)
    const bound = await listenOn(server, port, '127.0.0.1')
    receiver.#url = (publicUrl && withoutSlash(publicUrl)) ?? `http://127.0.0.1:${bound}`
    return receiver
  }

  get url(): string {
    return this.#url!
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

  callsTo(path: string): ReceivedCall[] {
    return this.calls.filter((call) => call.path.split('?')[0] === path)
  }

  /** Waits for a number of calls to a path. Resolves with the calls received, even if fewer. */
  async wait(path: string, count: number, timeout: number): Promise<ReceivedCall[]> {
    const until = performance.now() + timeout
    while (this.callsTo(path).length < count && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 10))
    return this.callsTo(path)
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
