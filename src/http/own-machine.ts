import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopbackAddress, isLoopbackAuthority, isLoopbackHost } from '../network/private-network.ts'
import type { Observer } from '../world.ts'
import { refusalAnswer, writeAnswer } from './answer.ts'

/** Rejects a request that development does not serve, and returns whether it did. */
export type OwnMachineGuard = (req: IncomingMessage, res: ServerResponse) => boolean

/**
 * Development serves callers on this machine and no others. It refuses other addresses, other host names (a website may point its own name
 * here) and every proxied request: behind a proxy on this machine every stranger looks local.
 */
export function ownMachineGuard(observer: Observer, headers: readonly string[]): OwnMachineGuard {
  return (req, res) => {
    const refused = foreignPart(req)
    if (refused === undefined) return false
    const code = 'NOT_THIS_MACHINE'
    observer.refused(code, { refused })
    writeAnswer(res, headers, randomUUID(), refusalAnswer(code))
    return true
  }
}

/** Returns the sign that a request does not come from this machine, or `undefined`. */
function foreignPart(
  req: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'httpVersion' | 'url'> & {
    socket: { remoteAddress?: string | undefined }
    /** Express keeps it here if the router is mounted below a path. */
    originalUrl?: string
  },
): 'address' | 'host' | 'proxy' | undefined {
  if (!isLoopbackAddress(req.socket.remoteAddress ?? '')) return 'address'
  const hosts = req.headersDistinct.host ?? []
  if (hosts.length === 0 || !hosts.every(isLoopbackAuthority)) return 'host'
  const target = req.originalUrl ?? req.url ?? ''
  if (!target.startsWith('/') && target !== '*' && !isLoopbackHost(URL.parse(target)?.hostname ?? ''))
    return 'host'
  // Clients of today speak HTTP/1.1. nginx forwards in HTTP/1.0, with our own Host and no header of its own, unless it is configured.
  if (req.httpVersion === '1.0' || isForwarded(req.headers)) return 'proxy'
  return undefined
}

/** Headers that proxies, tunnels and clouds add. */
const ofProxy =
  /^(?:forwarded|x-forwarded.*|via|x-real-ip|x-original-.*|(?:.*-)?(?:client|connecting|user)-ip|x-(?:envoy|amzn|azure|appengine|scheme).*|cf-.*|cdn-loop|ngrok-.*|tailscale-.*)$/

/** Whether a request went through a proxy, as far as its headers show. */
export const isForwarded = (headers: IncomingMessage['headers']): boolean =>
  Object.keys(headers).some((name) => ofProxy.test(name))
