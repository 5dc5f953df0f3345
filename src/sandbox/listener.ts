import type { Server } from 'node:http'
import type { Express } from 'express'
import { wrongCall } from '../errors.ts'
import { createServer, listenOn } from '../http/server.ts'

/** The server of a shop, on loopback only. */
export class Listener {
  /** Set once it listens. */
  url = ''
  /** With https: the certificate to trust, as PEM text. Set once it listens. */
  ca: string | undefined
  #server: Server | undefined

  /** The outside address of a path. Throws `ARGUMENT_INVALID` before the server listens. */
  readonly addressOf = (path: string): string => {
    if (this.url === '') throw wrongCall('await sandbox.listen() first: a payment needs return addresses')
    return `${this.url}${path}`
  }

  async listen(handler: Express, given: { https?: boolean; port?: number }): Promise<string> {
    const { https = false, port = 0 } = given
    const { server, ca } = https
      ? await secureServer(handler)
      : { server: this.#server ?? createServer(handler), ca: undefined }
    this.#server = server
    this.ca = ca
    this.url = `${https ? 'https' : 'http'}://127.0.0.1:${await listenOn(server, port, '127.0.0.1')}`
    return this.url
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#server) return resolve()
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}

/** A server with a certificate that is made now, which callers have to trust. */
async function secureServer(handler: Express) {
  const [{ createServer: createSecure }, { loopbackCertificate }] = await Promise.all([
    import('node:https'),
    import('./certificate.ts'),
  ])
  const certificate = await loopbackCertificate()
  return { server: createSecure(certificate, handler), ca: certificate.cert }
}
