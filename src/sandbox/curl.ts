import { shopId as firstShopId } from '../messages/live.ts'
import { curlLine, printableJson } from '../printable.ts'
import { withoutSlash } from '../shops/hosts.ts'
import type { LoggedCall } from './call-log.ts'

/** A logged call as a line for the shell, with the endpoint in full. */
export function curlOf(
  { method, path, request, shopId = firstShopId }: LoggedCall,
  urlEndpoint: string,
): string {
  return curlLine({
    method,
    url: `${withoutSlash(urlEndpoint)}/${path}`,
    headers: {
      'X-Shop-Id': String(shopId),
      ...(request !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: request === undefined ? undefined : printableJson(request),
  })
}
