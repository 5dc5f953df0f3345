import { type ChildProcess, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { endWithProcess } from '../../end-with-process.ts'
import { makeRepository, treeWays, ways } from './ways-of-saving.ts'

/** A save that the provider has not started with after this time is unseen, in milliseconds. */
const patience = 300_000

/** Prints a hash of all that is in its folder, at each start. */
const provider = `import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createProvider, price } from 'purveyor'

const names = readdirSync('.', { recursive: true }).filter(
  (name) => !/^(\\.git|data|calls)(\\/|$)/.test(name) && statSync(name).isFile(),
)
console.log('state', hash('sha1', names.sort().map((name) => name + readFileSync(name, 'latin1')).join('\\n')))

const method = { id: 'door', title: 'At your door', ...price({ excl: '5.00', taxRate: '0.21', currency: 'eur' }) }
export default createProvider({ rates: { name: 'carrier', quote: () => [method], estimate: () => [method] } })
`

/** The same, from outside. */
function stateOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(\.git|data|calls)(\/|$)/.test(name) && statSync(join(folder, name)).isFile(),
  )
  const all = names.sort().map((name) => name + readFileSync(join(folder, name), 'latin1'))
  return hash('sha1', all.join('\n'))
}

const files: Record<string, string> = Object.fromEntries(
  [
    ...['src/rates.ts', 'src/zones.mts', 'src/tax.js', 'src/sizes.mjs', 'tariff.csv', 'texts.json'],
    ...['zones.geojson', '.env', '.env.local', 'pages/terms.html', 'pages/terms.css', 'logo.png'],
  ].map((name) => [name, '0']),
)

interface Saved {
  /** The file and the way in which it was saved. */
  what: string
  /** From the save until the provider is ready again, in milliseconds. Not set for a save that was not seen. */
  ms?: number
}

/** Runs `dev` of a built package in an empty folder and saves its files in all ways, each once the provider is ready. */
export async function playSaves(
  count: number,
  { folder, main, env }: { folder: string; main: string; env: NodeJS.ProcessEnv },
): Promise<Saved[]> {
  const steps = stepsIn(folder)
  const args = [main, 'dev', '--port', '0', '--json', '--record', 'calls']
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithProcess(child)
  const output = outputOf(child)
  try {
    if (!(await isSoon(() => output.text.includes('"ready":true'))))
      throw new Error(`dev does not start:\n${output.text}`)
    const saved: Saved[] = []
    for (let number = 1; number <= count; number++) saved.push(await one(steps.next().value!, folder, output))
    return saved
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

interface Step {
  what: string
  save(): void | Promise<void>
}

/** A folder with files of all kinds that `git` can check others out into, and its steps. */
export function stepsIn(folder: string): Generator<Step, never> {
  const all = { ...files, 'provider.ts': provider, '.gitignore': 'data\ncalls\n' }
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  makeRepository(folder)
  return stepsOf(folder)
}

/** All ways by turns, each with another file each time. After two of three, the folder is changed: the first 21 steps take each way once. */
function* stepsOf(folder: string): Generator<Step, never> {
  const names = [...Object.keys(files), 'provider.ts']
  const single = Object.entries(ways)
  const tree = Object.entries(treeWays)
  for (let number = 0, trees = 0; ; number++) {
    const name = names[(number + Math.floor(number / names.length)) % names.length]!
    const [way, save] = single[number % single.length]!
    const content = name === 'provider.ts' ? `${provider}// ${'x'.repeat(number)}\n` : `// ${number}\n`
    yield { what: `${name} ${way}`, save: () => save(join(folder, name), content) }
    if (number % 3 === 0) continue
    const [kind, change] = tree[trees % tree.length]!
    const at = trees++
    yield { what: kind, save: () => change(folder, at) }
  }
}

async function one({ what, save }: Step, folder: string, output: Output): Promise<Saved> {
  const from = output.text.length
  const since = performance.now()
  await save()
  const state = `state ${stateOf(folder)}\n`
  const isReady = () => {
    const started = output.text.indexOf(state, from)
    return started >= 0 && output.text.includes('the provider runs again', started)
  }
  return (await isSoon(isReady)) ? { what, ms: performance.now() - since } : { what }
}

/** Both outputs of a process, in the order in which they come. */
interface Output {
  text: string
}

function outputOf({ stdout, stderr }: ChildProcess): Output {
  const output = { text: '' }
  for (const stream of [stdout!, stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk))
  return output
}

/** Whether it comes true within the patience. */
async function isSoon(isTrue: () => boolean): Promise<boolean> {
  const end = performance.now() + patience
  while (!isTrue() && performance.now() < end) await wait(2)
  return isTrue()
}
