import { hash } from 'node:crypto'

export const appSecret = 'the secret of the app'

/** Signed as live platforms sign: MD5 over the sorted pairs and the secret. */
export function signedQuery(fields: Record<string, string>, more: object = { cluster_id: 'eu1' }): string {
  const names = Object.keys(fields).sort()
  const signature = hash('md5', `${names.map((name) => `${name}=${fields[name]}`).join('')}${appSecret}`)
  return new URLSearchParams({ ...fields, ...more, signature }).toString()
}
