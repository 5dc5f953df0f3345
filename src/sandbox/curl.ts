import type { LoggedCall } from './call-log.ts'
import { shopId } from './payloads.ts'

/** A logged call as a line for the shell, with the endpoint in full. */
export function curlOf({ method, path, request }: LoggedCall, urlEndpoint: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quoted(`${urlEndpoint.replace(/\/+$/, '')}/${path}`),
    '-H',
    quoted(`X-Shop-Id: ${shopId}`),
  ]
  if (request !== undefined) {
    parts.push(
      '-H',
      quoted('Content-Type: application/json'),
      '--data-binary',
      quoted(JSON.stringify(request)),
    )
  }
  return parts.join(' ')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
