import ipaddr from 'ipaddr.js'

/** Whether an address is this machine's own: in 127.0.0.0/8, `::1`, or one of both written as IPv6. */
export const isLoopbackAddress = (text: string): boolean =>
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
