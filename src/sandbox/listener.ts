import { execFile } from 'node:child_process'
import type { RequestListener, Server } from 'node:http'
import { promisify } from 'node:util'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { createServer, listenOn } from '../http/server.ts'

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

  async listen(handler: RequestListener, given: { https?: boolean; port?: number }): Promise<string> {
    const { https = false, port = 0 } = given
    if (https) {
      const certificate = await loopbackCertificate()
      this.#server = (await import('node:https')).createServer(certificate, handler)
      this.ca = certificate.cert
    } else this.#server = createServer(handler)
    this.url = `${https ? 'https' : 'http'}://127.0.0.1:${await listenOn(this.#server, port, '127.0.0.1')}`
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

const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30
  -config /dev/null -subj /CN=localhost -keyout - -out -
  -addext subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1 -addext basicConstraints=critical,CA:FALSE
  -addext keyUsage=critical,digitalSignature -addext extendedKeyUsage=serverAuth`.split(/\s+/)

/**
 * A certificate for `localhost`, `127.0.0.1` and `::1`, valid for 30 days, as PEM texts. It is signed by itself: whoever trusts it trusts this
 * server and no other. Rejects with `ENVIRONMENT_UNFIT` where there is no `openssl`. */
export async function loopbackCertificate(): Promise<{ key: string; cert: string }> {
  const { stdout } = await promisify(execFile)('openssl', made).catch((cause: unknown) => {
    const remedy = 'which makes the certificate: install it, or leave https out.'
    throw new PurveyorError('ENVIRONMENT_UNFIT', `https needs the program openssl 3, ${remedy}`, { cause })
  })
  const [key = '', cert = ''] = stdout.split(/(?=-----BEGIN CERTIFICATE)/)
  return { key, cert }
}
