import { printableJson, shellArgument } from '../printable.ts'
import type { LoggedCall } from './call-log.ts'
import { shopId } from './payloads.ts'

/** A logged call as a line for the shell, with the endpoint in full. */
export function curlOf({ method, path, request }: LoggedCall, urlEndpoint: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    shellArgument(`${urlEndpoint.replace(/\/+$/, '')}/${path}`),
    '-H',
    shellArgument(`X-Shop-Id: ${shopId}`),
  ]
  if (request !== undefined) {
    parts.push(
      '-H',
      shellArgument('Content-Type: application/json'),
      '--data-binary',
      shellArgument(printableJson(request)),
    )
  }
  return parts.join(' ')
}
