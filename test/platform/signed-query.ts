import { createHash } from 'node:crypto'

export const appSecret = 'the secret of the app'

/** Signed as live platforms sign: MD5 over the sorted pairs and the secret. */
export function signedQuery(
  fields: Record<string, string>,
  more: Record<string, string> = { cluster_id: 'eu1' },
): string {
  const pairs = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('')
  const signature = createHash('md5').update(`${pairs}${appSecret}`).digest('hex')
  return new URLSearchParams({ ...fields, ...more, signature }).toString()
}
