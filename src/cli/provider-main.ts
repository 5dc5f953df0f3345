import { readFileSync } from 'node:fs'
import type { Provider } from '../provider/provider.ts'
import { keepCompiledCode } from './compile-cache.ts'
import { faultOf } from './provider/fault.ts'
import type { ServeOptions } from './serve/serve.ts'

// The process of a provider beside the sandbox. Its standard input says what it runs.

export type Order = { file: string; options: ServeOptions; settings?: unknown }

/** A message to the process that started this one: an error that ends it, or the files of the user that it has loaded or has in use. */
export interface Message {
  fault?: ReturnType<typeof faultOf>
  loaded?: string[]
  /** The files that its adapters have in use, as absolute paths: all of them, whenever there is one more. */
  inUse?: string[]
}

keepCompiledCode()

const send = (message: Message, sent: () => void = () => {}) => void process.send?.(message, sent)
const report = (error: unknown) => send({ fault: faultOf(error) })
const fail = (error: unknown) => send({ fault: faultOf(error) }, () => process.exit(1))
/** The process ends with the one that started it, whatever the provider's own code waits for. */
const endWithParent = () => process.exit(0)

process.on('disconnect', endWithParent).on('uncaughtException', fail).on('unhandledRejection', fail)

/** Code of the user that ends the process, at its start or later, is at fault: the call is on the stack of the event. */
process.on('exit', (code) => {
  const fault = faultOf(new Error(`the code called process.exit(${code})`))
  if (fault.frames.length > 0)
    send({ fault: { ...fault, remedy: 'Throw an error instead: its message is then shown here.' } })
})

run(JSON.parse(readFileSync(0, 'utf8'))).catch(fail)

async function run({ file, options, settings }: Order): Promise<void> {
  const { serve } = await import('./serve/serve.ts')
  // Loaded at once: a clock that is moved waits for timers, and not for a module that loads.
  const later = [import('../platform/client.ts'), import('../observability/metrics.ts'), import('undici')]
  await Promise.all(later)
  const provider = await serve({ ...options, provider: file }, settings, noteLoaded)
  // `serve` listens to all of them now: it finishes open calls first.
  process.off('disconnect', endWithParent).off('uncaughtException', fail).off('unhandledRejection', fail)
  process.on('uncaughtExceptionMonitor', report).on('unhandledRejection', report)
  if (provider) await noteInUse(provider)
}

/** Sends the files that its adapters have in use, now and whenever there is another one: those of shops are from their first quote on. */
async function noteInUse(provider: Provider): Promise<void> {
  const { inspect } = await import('../provider/inspection.ts')
  const known = new Set<string>()
  const look = () => {
    const inUse = inspect(provider).files()
    if (inUse.every((file) => known.has(file))) return
    for (const file of inUse) known.add(file)
    send({ inUse })
  }
  look()
  setInterval(look, 1_000).unref()
}

let loaded: string[] = []

/** Sends the paths of the provider's files soon after they are found. */
function noteLoaded(file: string): void {
  if (loaded.length === 0)
    setImmediate(() => {
      send({ loaded })
      loaded = []
    })
  loaded.push(file)
}
