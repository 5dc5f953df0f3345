import { onTestFinished } from 'vitest'
import { openNameServer } from './name-server.ts'

/** Serves names until the end of the test. */
export async function servedNames(...rule: Parameters<typeof openNameServer>) {
  const server = await openNameServer(...rule)
  onTestFinished(() => server.close())
  return server
}
