import type { IncomingMessage } from 'node:http'

/**
 * A request may name its address in full (RFC 9112, 3.2.2), as clients of a proxy do: from now on it names the path alone. Express would
 * read the whole address, and Node prints one that is invalid to standard error.
 */
export function useOriginForm(req: IncomingMessage): void {
  const { url = '/' } = req
  if (url.startsWith('/') || url === '*') return
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  req.url = `${pathname || '/'}${search}`
}
