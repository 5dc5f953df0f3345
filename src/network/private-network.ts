import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an address is this machine's own: in 127.0.0.0/8, `::1`, or one of both written as IPv6. */
const isLoopbackAddress = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'

/** Whether a host, as an address names it, is this machine: `localhost`, a name below it, or such an address. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))
  )
}

/** The same for a `Host` header: a host with a port or without one. */
export function isLoopbackAuthority(authority: string): boolean {
  const [, host] = /^([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(authority) ?? []
  return host !== undefined && isLoopbackHost(host)
}

/** Returns the sign that a request does not come from this machine, or `undefined`. */
export function foreignPart(
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

/** The address without its brackets and without the final dot of a full name. */
export const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Names without a dot, and names that are local by definition. */
export const isPublicName = (host: string): boolean =>
  host.includes('.') && !/\.(localhost|local|localdomain|internal|home\.arpa)$/.test(host)

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's service of a machine's own host: public by its number, and reached from inside only. */
const hostService = '168.63.129.16'

export function isPublic(text: string, loopback: boolean): boolean {
  if (!ipaddr.isValid(text) || text === hostService) return false
  const address = ipaddr.process(text)
  const range = address.range()
  if (range === 'loopback') return loopback
  if (range !== 'unicast') return false
  // All other IPv6 addresses are not assigned, or embed an IPv4 address.
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

const ranges = (texts: readonly string[]): Range[] => texts.map((text) => ipaddr.parseCIDR(text))

/** The ranges that can be allowed: private addresses. All others are public already, or never called. */
const openable = ranges(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'])
/** Metadata services that hand out credentials, inside ranges that can be allowed. */
const metadata = ranges(['100.100.100.200/32', 'fd00:ec2::254/128'])
/** The largest range of one entry: 65,536 addresses, or one site of IPv6. */
const widest = { ipv4: 16, ipv6: 48 }

const matches = ([range, bits]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  range.kind() === address.kind() && address.match(range as never, bits)

function isPrivate(text: string): boolean {
  const address = ipaddr.process(text)
  return (
    openable.some((range) => matches(range, address)) && !metadata.some((range) => matches(range, address))
  )
}

/** Scheme, host and port of one connection. The port is always there. */
export interface Place {
  protocol: string
  /** Without brackets. */
  host: string
  port: string
}

export const placeOf = (protocol: string, host: string, port: string | undefined): Place => ({
  protocol,
  host: host.toLowerCase().replace(/^\[|\]$|\.$/g, ''),
  port: port || (protocol === 'https:' ? '443' : '80'),
})

export const nameOfPlace = ({ protocol, host, port }: Place): string => `${protocol} ${host} ${port}`

/**
 * The private network that one adapter has opened for its own calls with `network.allow`. An entry is a range (`10.0.3.0/24`) or an
 * address, both over https and on every port, or one host with its port (`rates.internal:8443`), which may be `http://`.
 */
export class PrivateNetwork {
  readonly #ranges: Range[] = []
  readonly #places = new Set<string>()

  /** Opens nothing for an entry with a fault: `createProvider` refuses it. */
  constructor(allow: readonly string[]) {
    for (const entry of allow) this.#add(entry)
  }

  static faultsOf(allow: unknown): string[] {
    if (!Array.isArray(allow)) return ["allow must be a list, such as ['10.0.3.0/24']"]
    const network = new PrivateNetwork([])
    return allow.flatMap((entry: unknown) => {
      const fault = typeof entry === 'string' ? network.#add(entry) : 'is not text'
      return fault ? `allow: ${JSON.stringify(entry)} ${fault}` : []
    })
  }

  /** Whether an entry names exactly this host and port. */
  names(place: Place): boolean {
    return this.#places.has(nameOfPlace(place))
  }

  /** Whether a connection may be tried. It is checked again once its numeric address is known. */
  mayTry(place: Place): boolean {
    if (this.names(place)) return true
    if (place.protocol !== 'https:') return false
    return isIP(place.host) ? this.#isInRange(place.host) : this.#ranges.length > 0
  }

  /** Whether a connection to a place may go to this numeric address. */
  allows(address: string, place: Place): boolean {
    if (!ipaddr.isValid(address)) return false
    if (!this.names(place)) return place.protocol === 'https:' && this.#isInRange(address)
    if (isLoopbackAddress(address)) return isLoopbackHost(place.host)
    // http only to a private address.
    return isPrivate(address) || (place.protocol === 'https:' && isPublic(address, false))
  }

  #isInRange(text: string): boolean {
    const address = ipaddr.process(text)
    return isPrivate(text) && this.#ranges.some((range) => matches(range, address))
  }

  #add(entry: string): string | undefined {
    if (ipaddr.isValidCIDR(entry) || isIP(entry)) return this.#addRange(entry)
    const url = URL.parse(/^https?:\/\//.test(entry) ? entry : `https://${entry}`)
    const bare = entry.replace(/^https?:\/\//, '')
    if (!url || /[/?#@*\s\\]/.test(bare) || url.host === '')
      return 'is not a range, address or host: write 10.0.3.0/24, rates.internal:8443 or http://rates.internal:8080'
    const host = nameOf(url)
    if (isIP(host) && !isLoopbackAddress(host)) {
      const fault = this.#faultOf(ipaddr.process(host))
      if (fault) return fault
    }
    if (isLoopbackHost(host) && !/:\d+$/.test(bare))
      return `is this machine: name one port of it, such as ${bare}:8443`
    this.#places.add(nameOfPlace(placeOf(url.protocol, host, url.port)))
    return undefined
  }

  #addRange(entry: string): string | undefined {
    const range = ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : wholeOf(entry)
    const [address, bits] = range
    const kind = address.kind() as 'ipv4' | 'ipv6'
    if (address.kind() === 'ipv6' && ipaddr.process(address.toString()).kind() === 'ipv4')
      return 'is an IPv4 address: write it as one, such as 10.0.3.7'
    if (address.range() === 'loopback')
      return 'is this machine: name a host and one port, such as localhost:8443'
    const narrowest = `${kind === 'ipv4' ? '10.0.3.0' : 'fd12:3456::'}/${widest[kind]}`
    if (bits < widest[kind])
      return `is too wide: a range has ${widest[kind]} bits or more, such as ${narrowest}`
    const first = (kind === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address}/${bits}`)
    if (first.toString() !== address.toString()) return `is one address of a range: write ${first}/${bits}`
    this.#ranges.push(range)
    return this.#faultOf(address)
  }

  #faultOf(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
    if (isPrivate(address.toString())) return undefined
    if (isPublic(address.toString(), false)) return 'is public, so every adapter may call it: remove it'
    return 'is never called: addresses such as link-local ones and metadata services of clouds hand out credentials'
  }
}

const wholeOf = (text: string): Range => {
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128] as Range
}
