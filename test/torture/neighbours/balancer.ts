import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { listenOn } from '../../../src/http/server.ts'

interface Backend {
  port: number
  ready: boolean
  /** How many of its answers in a row came too late. */
  late: number
  agent: Agent
}

const lookEvery = 200
/** In milliseconds, and how many later answers in a row make a node not ready. An answer 503 or a refused connection does at once. */
const patience = 1_000
const lateAtMost = 3

/** A plain round robin over the nodes whose `/health/ready` was 200 when it was last asked for. It tries no call twice. */
export class Balancer {
  readonly #backends: Backend[] = []
  readonly #server = createServer((req, res) => this.#forward(req, res))
  readonly #looking = setInterval(() => this.#look(), lookEvery)
  #turn = 0

  /** Resolves with its address. */
  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listenOn(this.#server, 0, '127.0.0.1')}`
  }

  add(port: number): void {
    this.#backends.push({ port, ready: false, late: 0, agent: new Agent({ keepAlive: true }) })
  }

  remove(port: number): void {
    const place = this.#backends.findIndex((backend) => backend.port === port)
    const [gone] = place < 0 ? [] : this.#backends.splice(place, 1)
    gone?.agent.destroy()
  }

  isReady(port: number): boolean {
    return this.#backends.some((backend) => backend.port === port && backend.ready)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looking)
    this.#server.close().closeAllConnections()
  }

  #look(): void {
    for (const backend of this.#backends) {
      const options = { port: backend.port, path: '/health/ready', agent: false, timeout: patience }
      const asked = request(options, (answer) => {
        backend.late = 0
        backend.ready = answer.statusCode === 200
        answer.resume()
      })
      let late = false
      asked.on('timeout', () => {
        late = true
        asked.destroy()
      })
      asked.on('error', () => {
        if (late && ++backend.late < lateAtMost) return
        backend.ready = false
      })
      asked.end()
    }
  }

  #forward(req: IncomingMessage, res: ServerResponse): void {
    const ready = this.#backends.filter((backend) => backend.ready)
    const backend = ready[this.#turn++ % ready.length]
    if (!backend) return void res.writeHead(503).end('no node is ready')
    const { connection: _, ...headers } = req.headers
    const { port, agent } = backend
    const call = request({ port, agent, path: req.url, method: req.method, headers }, (answer) => {
      const { connection: _own, 'keep-alive': _kept, ...passed } = answer.headers
      res.writeHead(answer.statusCode ?? 502, passed)
      answer.pipe(res)
    })
    // A connection that was refused or reset: the caller learns what happened.
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (res.headersSent) res.destroy()
      else res.writeHead(502).end(error.code)
    })
    req.pipe(call)
  }
}
