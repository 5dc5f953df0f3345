import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { RefusalCode } from '../errors/refusals.ts'
import { Connections, connectionLimits, type Listener } from './limits.ts'
import { StoppableRequest } from './read-body.ts'

/** The used parts of `node:http`. An `import` of it reads every export, which loads fetch and WebSocket: 60 ms of CPU. */
export const { createServer, request: httpRequest } = process.getBuiltinModule('node:http')

/**
 * How long open requests may continue once the listener is closed, in milliseconds: longer than a start, shorter than Docker's limit. In
 * development a save must cut no call that the shop still waits for.
 */
export const drainFor = (development: boolean): number => (development ? 10_000 : 4_500)

/** A Node server with limits for the open internet. `refused` is called for every connection that is cut. */
export function hardenedServer(
  listener: Listener,
  refused: (code: RefusalCode) => void,
  limits = connectionLimits,
): Server {
  const server: Server = createServer({
    headersTimeout: 10_000,
    // Checked every second: slow requests are cut off within 15 s.
    requestTimeout: 13_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    insecureHTTPParser: false,
    // Our routes refuse it, so that it counts as a request.
    requireHostHeader: false,
    IncomingMessage: StoppableRequest,
    // The user's own app may accept other protocols on its server.
    shouldUpgradeCallback: ({ socket }) => socket.destroyed || server.listenerCount('upgrade') > 0,
  })
  new Connections({ ...limits, open: Math.min(limits.open, connectionsAllowed()) }, refused).serve(
    server,
    listener,
  )
  countUnread(server, refused)
  return server
}

/** The number of connections that the limit of open files allows. The store and calls out need some too. */
function connectionsAllowed(): number {
  try {
    const [, files] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return files === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(Number(files) * 0.8))
  } catch {
    // Not on Linux.
    return Number.POSITIVE_INFINITY
  }
}

/** Resolves with the port it listens on. Port 0 takes a free one. */
export async function listenOn(server: Server, port: number, host: string | undefined): Promise<number> {
  server.listen({ port, host })
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** From now on each answer closes its connection and says so. Resolves after `delay` milliseconds; until then all calls are accepted. */
export async function announceEnd(server: Server, delay: number): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
}

/**
 * Accepts no new connection and resolves when every open request is answered, after `most` milliseconds at the latest. For `linger`
 * milliseconds it still answers requests on idle connections, because a caller may send one in the moment the connection closes.
 */
export function drain(server: Server, linger: number, most: number): Promise<void> {
  const until = Date.now() + linger
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), most)
    // Repeated: a kept-alive connection becomes idle with its last answer.
    const idle = setInterval(() => {
      // After what has arrived is read: a request that waits in a socket makes its connection busy.
      if (Date.now() >= until) setImmediate(() => server.closeIdleConnections())
    }, 50)
    const ended = () => {
      clearTimeout(cut)
      clearInterval(idle)
      resolve()
    }
    // An HTTP server's own `close` ends idle connections at once.
    if (linger > 0) NetServer.prototype.close.call(server, ended)
    else server.close(ended)
  })
}

/** Counts the requests that Node answers itself before they reach a route: invalid and slow ones. */
function countUnread(server: Server, refused: (code: RefusalCode) => void): void {
  // Without a listener Node closes them without an answer.
  server.on('connect', (_req, socket) => {
    refused('CONNECT_REFUSED')
    // Node's time limits end with the request: a peer that keeps its side open would stay for good.
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
      socket.destroy(),
    )
  })
  server.on('connection', (socket) => {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = refusalOf(error)
      if (code) refused(code)
    })
  })
}

/** `undefined` for a peer that went away. */
export function refusalOf({ code = '' }: NodeJS.ErrnoException): RefusalCode | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TOO_SLOW'
  if (code === 'BODY_IN_PIECES') return code
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE' ? 'REQUEST_UNREADABLE' : undefined
}
