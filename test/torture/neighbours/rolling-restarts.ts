// Two nodes behind a round robin are stopped and started one after the other, as containers are, while payments start. No call fails.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { payment } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { temporaryFolder } from '../../temporary.ts'
import { Balancer } from './balancer.ts'
import type { NeighbourReport } from './report.ts'
import { type NeighbourSize, watch } from './turns.ts'

const perSecond = 50
/** In milliseconds: what Docker waits from SIGTERM to SIGKILL. */
const killedAfter = 10_000
const main = new URL('../../../src/cli/main.ts', import.meta.url).pathname

const source = `import { createProvider } from 'purveyor'
export default createProvider({
  http: { limits: { perSecond: 10_000, burst: 10_000, concurrent: 1_000 } },
  payments: {
    name: 'psp',
    methods: () => [{ id: 'card', title: 'Card' }],
    idempotency: { ttl: 3_600_000 },
    start: async ({ idempotencyKey }) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { redirect: 'https://psp.example/' + idempotencyKey, reference: idempotencyKey }
    },
    status: () => ({ status: 'pending' }),
  },
})
`

/** Whether this user may start a process as the first one of a tree of its own. */
const hasTrees = spawnSync('unshare', ['--pid', '--fork', '--kill-child', 'true']).status === 0

/** A node in a process tree of its own, where Node is process 1. Where that is not allowed it is a child of this process. */
class Container {
  readonly #child: ChildProcess
  readonly ended: Promise<number | null>
  #said = ''
  port = 0
  endpoint = ''

  constructor(folder: string, stopDelay: number) {
    const tree = hasTrees ? ['unshare', '--pid', '--fork', '--kill-child'] : []
    const serve = ['serve', '--provider', join(folder, 'provider.ts'), '--port', '0', '--json']
    const [command, ...args] = [...tree, process.execPath, main, ...serve, '--show-endpoint']
    this.#child = spawn(command!, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        PURVEYOR_SECRET: 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe',
        PURVEYOR_PUBLIC_URL: 'https://checkout.example.com',
        PURVEYOR_DATABASE_URL: `sqlite:${join(folder, 'purveyor.db')}`,
        PURVEYOR_LOG_LEVEL: 'fatal',
        PURVEYOR_STOP_DELAY: String(stopDelay),
      },
    })
    this.#child.stderr!.on('data', (text) => (this.#said += text))
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve))
  }

  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.ended.then((code) => reject(new Error(`a node ended with exit code ${code}: ${this.#said}`)))
      createInterface({ input: this.#child.stdout! }).on('line', (line) => {
        if (!line.startsWith('{"ready":true')) return
        const { port, endpoint } = JSON.parse(line) as { port: number; endpoint: string }
        this.port = port
        this.endpoint = endpoint
        resolve()
      })
    })
  }

  kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    const first = hasTrees ? Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) : pid
    if (first) process.kill(first, signal)
  }
}

function newFolder() {
  const folder = temporaryFolder()
  writeFileSync(folder.at('provider.ts'), source)
  return folder
}

/** In seconds: how long both nodes run between two restarts. */
const between = 3

/**
 * 20 restarts with the delay of production in the long form, two with a short one in the short form. Each is a turn, and both nodes run
 * beside each other before it. A process starts then too, of another provider: where two cores serve all of them, the start of any
 * process makes calls slower. Well again means that each node starts a payment.
 */
export async function rollingRestarts({ turns, seconds, shops }: NeighbourSize): Promise<NeighbourReport> {
  const long = seconds >= 10
  const restarts = long ? 2 * turns : 2
  const stopDelay = long ? 5_000 : 1_500
  using folder = newFolder()
  using elsewhere = newFolder()
  using balancer = new Balancer()
  const address = await balancer.listen()
  const violations: string[] = []
  const nodes: Container[] = []
  using ends = new DisposableStack()
  ends.defer(() => {
    for (const node of nodes) node.kill('SIGKILL')
  })
  const starting = async () => {
    const node = new Container(folder.path, stopDelay)
    nodes.push(node)
    await node.ready()
    balancer.add(node.port)
    while (!balancer.isReady(node.port)) await delay(20)
  }
  const restart = async () => {
    const old = nodes.shift()!
    const asked = performance.now()
    old.kill('SIGTERM')
    const killed = setTimeout(() => {
      violations.push('a node took longer to stop than Docker waits')
      old.kill('SIGKILL')
    }, killedAfter)
    const code = await old.ended
    clearTimeout(killed)
    balancer.remove(old.port)
    if (code !== 0) violations.push(`a node that was stopped ended with exit code ${code}`)
    if (performance.now() - asked < stopDelay) violations.push('a node ended before balancers could see it')
    await starting()
  }
  let isRestarting = false
  const startElsewhere = async () => {
    const other = new Container(elsewhere.path, 0)
    await other.ready().finally(() => other.kill('SIGKILL'))
  }

  const failures = new Map<string, number>()
  let order = 0
  const start = async (origin: string) => {
    const outcome = await postJson(`${origin}${path}/payment`, {
      ...payment({ id: ++order }),
      webhook_url: 'https://shop.example/webhook',
    }).then(
      async (answer) => {
        const text = await answer.text()
        return answer.status === 201 ? 'ok' : `${answer.status} ${text.slice(0, 200)}`
      },
      (error: { cause?: { code?: string } }) => error.cause?.code ?? String(error),
    )
    if (outcome !== 'ok') failures.set(outcome, (failures.get(outcome) ?? 0) + 1)
    return outcome === 'ok'
  }
  let path = ''
  await starting()
  await starting()
  path = new URL(nodes[0]!.endpoint).pathname
  const report = await watch(
    { shops, perSecond, turns: restarts, seconds: between },
    {
      name: `${restarts} rolling restarts`,
      deadline: 4_000,
      call: () => start(address),
      async ownCall(number) {
        if (number === 0 && !isRestarting) await startElsewhere()
      },
      begin: () => (isRestarting = true),
      lasts: restart,
      end: () => (isRestarting = false),
      isWell: async () =>
        (await Promise.all(nodes.map(({ port }) => start(`http://127.0.0.1:${port}`)))).every(Boolean),
    },
  )
  for (const [outcome, times] of failures) violations.push(`${times} starts failed: ${outcome}`)
  report.violations.push(...violations.map((violation) => `${report.name}: ${violation}`))
  return report
}
