import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../http/node-http.ts'
import { withoutSlash } from '../shops/hosts.ts'

/** A call that came to the checker as if it were the shop. */
export interface ReceivedCall {
  method: string
  /** Path and query, byte for byte. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
  at: number
}

/** How the checker answers a webhook. It may wait. */
export type WebhookAnswer = () => Promise<number> | number

/** Plays the shop's side: takes webhooks and customers who come back. */
export class Receiver {
  readonly calls: ReceivedCall[] = []
  readonly #answers = new Map<string, WebhookAnswer>()
  readonly #server: Server
  #url: string | undefined

  private constructor(server: Server) {
    this.#server = server
  }

  /** Listens on this machine. `publicUrl` is where the provider reaches it from elsewhere. */
  static async listen(publicUrl: string | undefined, port = 0): Promise<Receiver> {
    const server = createServer((req, res) => {
      let body = ''
      req.on('data', (chunk) => {
        if (body.length < 64 * 1024) body += chunk
      })
      req.on('end', async () => {
        const path = req.url ?? '/'
        receiver.calls.push({
          method: req.method ?? '',
          path,
          headers: req.headers,
          body,
          at: performance.now(),
        })
        const status = (await receiver.#answers.get(path.split('?')[0]!)?.()) ?? 200
        res.writeHead(status).end()
      })
    })
    const receiver = new Receiver(server)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    receiver.#url =
      (publicUrl && withoutSlash(publicUrl)) ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return receiver
  }

  get url(): string {
    return this.#url!
  }

  /** Answers the calls of a path so; without it they are answered 200. */
  answer(path: string, how: WebhookAnswer): void {
    this.#answers.set(path, how)
  }

  callsTo(path: string): ReceivedCall[] {
    return this.calls.filter((call) => call.path.split('?')[0] === path)
  }

  /** Waits until so many calls have come to a path. Resolves with what came, also when it is less. */
  async wait(path: string, count: number, timeout: number): Promise<ReceivedCall[]> {
    const until = performance.now() + timeout
    while (this.callsTo(path).length < count && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return this.callsTo(path)
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
