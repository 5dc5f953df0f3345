import type { Server } from 'node:http'
import type { RefusalCode } from '../refusals.ts'

/** Counts the requests that Node answers itself before they reach a route: invalid and slow ones. */
export function countUnread(server: Server, refused: (code: RefusalCode) => void): void {
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
