import ipaddr from 'ipaddr.js'

/** An address with its brackets and the dot of a full name taken off. */
export const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Names without a dot, and those that lead into one's own network by their definition. */
export const isPublicName = (host: string): boolean =>
  host.includes('.') && !/\.(localhost|local|localdomain|internal|home\.arpa)$/.test(host)

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's service of a machine's own host: public by its number, and reached from inside only. */
const hostService = '168.63.129.16'

/** Whether an address is one that everybody can reach. */
export function isPublic(text: string, loopback: boolean): boolean {
  if (!ipaddr.isValid(text) || text === hostService) return false
  const address = ipaddr.process(text)
  const range = address.range()
  if (range === 'loopback') return loopback
  if (range !== 'unicast') return false
  // All else of IPv6 is not given out, or carries an IPv4 address inside.
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}
