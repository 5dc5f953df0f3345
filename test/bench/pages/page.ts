import type { IncomingHttpHeaders } from 'node:http'

/** A page as a server answers it, for one that sends the same. */
export interface SentPage {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Headers that the connection brings along by itself. */
export const ofConnection = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']
