import type { IncomingHttpHeaders } from 'node:http'
import { counted } from '../../printable.ts'
import type { ProviderDescription } from '../../provider/describe.ts'
import { type Found, ok, warn } from './check.ts'

const marks = ['via', 'x-cache', 'cf-ray', 'x-served-by', 'x-amz-cf-id']
const setIt =
  'Set PURVEYOR_TRUST_PROXY to the number of proxies in front, or to their addresses: purveyor docs deploy'

/** Whether `trustProxy` fits what is in front. `serve` speaks http, so an https address proves a proxy; many leave no mark. */
export function proxyFound(
  { publicUrl = '', trustProxy }: Pick<ProviderDescription, 'publicUrl' | 'trustProxy'>,
  headers: IncomingHttpHeaders,
): Found {
  if (typeof trustProxy === 'number') return numberFound(trustProxy, headers)
  if (trustProxy !== undefined) return ok(`Proxies at ${trustProxy.join(', ')} are trusted`)
  const mark = marks.find((name) => name in headers)
  if (mark !== undefined)
    return warn(`A proxy (${mark}) is in front, and PURVEYOR_TRUST_PROXY is not set`, setIt)
  if (publicUrl.startsWith('https:'))
    return warn(
      'publicUrl is https and `serve` speaks http, so a proxy is in front; PURVEYOR_TRUST_PROXY is not set',
      setIt,
    )
  return ok('No proxy was detected')
}

/** A proxy that names itself in `Via` can be counted. */
function numberFound(trusted: number, { via }: IncomingHttpHeaders): Found {
  const says = `PURVEYOR_TRUST_PROXY trusts ${counted(trusted, 'proxy', 'proxies')}`
  const seen = via?.split(',').length
  if (seen === undefined) return ok(`${says}; the public address does not show how many there are`)
  if (seen === trusted) return ok(`${says}, and the public address shows as many`)
  return warn(
    `${says}, and the public address shows ${seen} (via)`,
    'Set it to the right number: with one too high a caller can choose its address',
  )
}
