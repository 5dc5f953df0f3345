import { onTestFinished } from 'vitest'
import { createPlatformClient, type PlatformOptions } from '../../src/platform/index.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts'

/** A sandbox that listens, to call the API of. */
export async function openShop(
  options: SandboxOptions = {},
  atEnd = onTestFinished as (close: () => unknown) => void,
): Promise<Sandbox> {
  const sandbox = createSandbox(options)
  await sandbox.listen()
  atEnd(() => sandbox.close())
  return sandbox
}

/** The client, as anybody makes one. Its waits move the clock of the shop, so they take no time. */
export function clientOf(sandbox: Sandbox, options: Partial<PlatformOptions> = {}) {
  const slept: number[] = []
  const clock = {
    now: () => sandbox.now(),
    after(ms: number, call: () => void) {
      slept.push(ms)
      void sandbox.advance(ms).then(call)
      return () => {}
    },
  }
  const { baseUrl, key, secret } = sandbox.api
  const account = { baseUrl, key, secret, language: 'nl' }
  return { client: createPlatformClient({ ...account, allowLoopback: true, clock, ...options }), slept }
}

/** The calls of the API so far, such as `GET nl/products.json?limit=250`. */
export const asked = (sandbox: Sandbox): string[] =>
  sandbox.calls.flatMap(({ method, path }) =>
    path.startsWith('api/') ? [`${method} ${path.slice('api/'.length)}`] : [],
  )
