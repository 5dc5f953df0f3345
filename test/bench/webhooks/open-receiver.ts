import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A receiver of webhooks in a process of its own, until the end of the block. */
export async function openReceiver() {
  const child = fork(new URL('./receiver.ts', import.meta.url))
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return { url, [Symbol.asyncDispose]: async () => child.disconnect() }
}
