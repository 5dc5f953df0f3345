import { keepCompiledCode } from './compile-cache.ts'
import { faultOf } from './provider-fault.ts'
import type { ServeOptions } from './serve.ts'

// The process of a provider beside the sandbox. It loads the framework, then waits for the message that names the provider's file.

/** What the process is to run. */
export interface Order {
  file: string
  options: ServeOptions
}

keepCompiledCode()

const report = (error: unknown) => void process.send?.({ fault: faultOf(error) })
/** Sent messages arrive before the end. */
const fail = (error: unknown) => void process.send?.({ fault: faultOf(error) }, () => process.exit(1))
/** The process ends with the one that started it, whatever the provider's own code waits for. */
const endWithParent = () => process.exit(0)

process.on('disconnect', endWithParent).on('uncaughtException', fail).on('unhandledRejection', fail)

const { serve } = await import('./serve.ts')

process.on('message', ({ serve: order }: { serve?: Order }) => {
  if (order) run(order).catch(fail)
})

async function run({ file, options }: Order): Promise<void> {
  await serve(file, options)
  // `serve` listens to all of them now: it finishes open calls first.
  process.off('disconnect', endWithParent).off('uncaughtException', fail).off('unhandledRejection', fail)
  process.on('uncaughtExceptionMonitor', report).on('unhandledRejection', report)
}
