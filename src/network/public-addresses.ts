import ipaddr from 'ipaddr.js'

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
