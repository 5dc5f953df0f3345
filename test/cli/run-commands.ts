// A process that runs commands one after another, in the form of a JSON line each on file descriptor 3. Loading the code of a command takes
// far longer than most commands, and is done once here. A command ends when nothing keeps the process alive, as it does by itself.
import type { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** A command with everything that it sees of its process. */
export interface Order {
  main: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Written to both outputs when a command has ended; no command prints such a character. */
const mark = '\0'
const orders = new Socket({ fd: 3, readable: true, writable: false })
const emitters = [process, process.stdout, process.stderr]
let count = 0
let isRunning = false
let isLoaded = false

// Files of the test's own are read anew by each command: a test may have changed them, and a provider that was stopped stays so.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isOwn = found.url.startsWith('file:') && !found.url.includes('/node_modules/')
    return isOwn ? { ...found, url: `${found.url.split('?')[0]}?command=${count}` } : found
  },
})

createInterface({ input: orders }).on('line', (line) => run(JSON.parse(line) as Order))
process.on('beforeExit', ended)
const atStart = emitters.map(listenersOf)

function run({ main, args, cwd, env }: Order): void {
  count++
  isRunning = true
  isLoaded = false
  process.argv = [process.execPath, main, ...args]
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = undefined
  // From here on only the command keeps this process alive.
  orders.unref()
  import(`${pathToFileURL(main).href}?${count}`).then(
    () => (isLoaded = true),
    (error) => setImmediate(() => Promise.reject(error)),
  )
}

function ended(): void {
  if (!isRunning) return
  isRunning = false
  // Node says 13 where a module waits for something that never comes.
  const code = isLoaded ? Number(process.exitCode ?? 0) : 13
  for (const [at, emitter] of emitters.entries()) removeNew(emitter, atStart[at]!, code)
  process.exitCode = undefined
  // Both are pipes, which Node writes at once.
  process.stdout.write(mark + code + mark)
  process.stderr.write(mark)
  orders.ref()
}

type Listener = (code: number) => void
type Listeners = Map<string | symbol, Listener[]>

function listenersOf(emitter: EventEmitter): Listeners {
  return new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name) as Listener[]]))
}

/** Removes the listeners that a command has added; those of the end of its process are called. */
function removeNew(emitter: EventEmitter, before: Listeners, code: number): void {
  for (const [name, listeners] of listenersOf(emitter)) {
    for (const listener of listeners) {
      if (before.get(name)?.includes(listener)) continue
      if (name === 'exit') listener(code)
      emitter.removeListener(name, listener)
    }
  }
}
