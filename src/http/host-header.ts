import type { IncomingMessage } from 'node:http'
import { Problem } from '../contract/index.ts'

/** Throws `HOST_HEADER_INVALID` unless a request names one host (RFC 9112, 3.2). Of two a proxy may use the first and Node the second. */
export function checkHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw new Problem('HOST_HEADER_INVALID')
}
