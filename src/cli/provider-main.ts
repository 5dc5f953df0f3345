import { readFileSync } from 'node:fs'
import { keepCompiledCode } from './compile-cache.ts'
import { faultOf } from './provider/fault.ts'
import type { ServeOptions } from './serve/serve.ts'

// The process of a provider beside the sandbox. Its standard input says what it runs.

export type Order = { file: string; options: ServeOptions; settings?: unknown }

/** A message to the process that started this one. */
export interface Message {
  /** An error that ends it. */
  fault?: ReturnType<typeof faultOf>
  /** Files of the user that it has just loaded, or all that its adapters have in use, as absolute paths. */
  files?: string[]
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
  const provider = await serve({ ...options, provider: file }, settings, noting())
  // `serve` listens to all of them now: it finishes open calls first.
  process.off('disconnect', endWithParent).off('uncaughtException', fail).off('unhandledRejection', fail)
  process.on('uncaughtExceptionMonitor', report).on('unhandledRejection', report)
  if (!provider) return
  const { inspect } = await import('../provider/inspection.ts')
  // Files of shops are in use from their first quote on.
  const look = () => send({ files: [...inspect(provider).files()] })
  look()
  setInterval(look, 1_000).unref()
}

/** Sends the paths of files that are loaded, those of one turn together: for each message the parent looks at all files. */
function noting(): (file: string) => void {
  let found: string[] = []
  return (file) => {
    if (found.push(file) > 1) return
    setImmediate(() => {
      send({ files: found })
      found = []
    })
  }
}
