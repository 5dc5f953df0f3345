import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = [Address, number]

/** Reads `192.0.2.7` and `192.0.2.0/24`. Throws for an entry that is neither. */
function readRange(text: string): AddressRange {
  const [start = ''] = text.split('/')
  // ipaddr.js takes `10.1` for 10.0.0.1.
  if (isIP(start) === 0) throw new TypeError(`${start} is not an address`)
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

export const addressRanges = (texts: readonly string[]): AddressRange[] => texts.map(readRange)

/** The texts that are no ranges, each as a sentence. */
export const rangeFaults = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    try {
      readRange(text)
      return []
    } catch {
      return `${text} is not an address or a range such as 192.0.2.0/24`
    }
  })

export function isIn(ranges: readonly AddressRange[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return ranges.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits),
  )
}

/** The trusted proxies in front: their number, or their addresses. Default: none. */
export type TrustProxy = number | readonly string[]

/** Creates the function that finds the origin of a call: the nearest address that is not a trusted proxy. */
export function clientAddress(trust: TrustProxy | undefined): (req: IncomingMessage) => string {
  const ranges = Array.isArray(trust) ? addressRanges(trust) : []
  const isTrusted = (address: string, hop: number) =>
    typeof trust === 'number' ? hop < trust : isIn(ranges, address)
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    const chain = [socket.remoteAddress ?? '', ...forwarded.reverse().map((part) => part.trim())]
    let hop = 0
    while (hop < chain.length - 1 && chain[hop + 1] !== '' && isTrusted(chain[hop]!, hop)) hop++
    return chain[hop]!
  }
}
