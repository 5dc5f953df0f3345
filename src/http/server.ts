import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** How long open requests may go on after a stop was asked for, in milliseconds. */
const drainFor = 10_000

/** A server of Node's own with limits for the open internet. */
export function hardenedServer(listener: (req: IncomingMessage, res: ServerResponse) => void): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      // Looked at every second: whoever is slow is cut off within 15 s.
      requestTimeout: 13_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
    },
    listener,
  )
  server.maxConnections = 10_000
  return server
}

/** Resolves with the port it listens on. Port 0 takes a free one. */
export function listenOn(server: Server, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Takes no new connection and resolves when every open request was answered, at the latest after ten seconds. */
export function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainFor)
    // Again and again: a connection that is kept alive becomes idle with its last answer.
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(idle)
      resolve()
    })
  })
}
