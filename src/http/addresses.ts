import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = [Address, number]

/** Reads `192.0.2.7` and `192.0.2.0/24`. Throws a `TypeError` that names what is neither. */
export function addressRanges(option: string, texts: readonly string[]): AddressRange[] {
  return texts.map((text) => {
    try {
      if (text.includes('/')) return ipaddr.parseCIDR(text)
      const address = ipaddr.process(text)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    } catch {
      throw new TypeError(`${option}: ${text} is no address and no range, such as 192.0.2.0/24`)
    }
  })
}

export function isIn(ranges: readonly AddressRange[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return ranges.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits),
  )
}

/** Which proxies in front of us are believed: so many of them, or those at these addresses. None without it. */
export type TrustProxy = number | readonly string[]

/** Makes the function that says where a call came from: the nearest address that is no trusted proxy. */
export function clientAddress(trust: TrustProxy | undefined): (req: IncomingMessage) => string {
  const ranges = Array.isArray(trust) ? addressRanges('trustProxy', trust) : []
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
