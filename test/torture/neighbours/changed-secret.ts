// The secret is changed, node after node, while shops call all that run. No call fails, and in the end nothing is left of the old one.
import { type Provider, sqliteStore } from '../../../src/index.ts'
import { inspect } from '../../../src/provider/inspection.ts'
import { temporaryFolder } from '../../temporary.ts'
import type { NeighbourReport } from './report.ts'
import { CallingShops, named, quietProvider, redirecting } from './shops.ts'
import { type NeighbourSize, pause, watch } from './turns.ts'

/** Calls while the nodes are replaced, one after the other. */
const pace = 20

export async function changedSecret(size: NeighbourSize): Promise<NeighbourReport> {
  using folder = temporaryFolder()
  let unopened = 0
  const secrets = ['the secret of these tests, number 0']
  /** Those that a balancer knows. */
  const nodes: { provider: Provider; url: string }[] = []
  await using ends = new AsyncDisposableStack()
  ends.defer(() => Promise.all(nodes.map(({ provider }) => provider.stop())).then(() => {}))

  async function startNode(): Promise<void> {
    const [current, ...previous] = secrets.slice(0, 2)
    const provider = quietProvider({
      store: sqliteStore({ file: folder.at('store.db') }),
      secret: previous.length > 0 ? { current: current!, previous } : current!,
      payments: { ...redirecting('psp'), push: { verify: () => true, read: () => [] } },
    })
    const { url } = await provider.listen({ host: '127.0.0.1' })
    nodes.push({ provider, url })
  }

  /** One after the other, as a deployment does. The last one stops before its replacement runs, so that no node only has the old secret. */
  async function replaceNodes(): Promise<void> {
    const [first, last] = [...nodes]
    while (!(await isChanged())) await pause(100)
    secrets.unshift(`the secret of these tests, number ${secrets.length}`)
    await startNode()
    await endNode(first!)
    // An old node opens the texts of a new one.
    const made = `made-${secrets.length}`
    await nodes.at(-1)!.provider.shops.add(made)
    const show = (shop: string) => last!.provider.shops.show(shop, { reveal: true })
    await Promise.all([show(made), show('good0')]).catch(() => unopened++)
    await endNode(last!)
    await startNode()
  }

  /** Whether nothing is left that a previous secret has sealed. */
  const isChanged = async () => ((await inspect(nodes.at(-1)!.provider).secretChange())?.left ?? 0) === 0

  async function endNode(node: (typeof nodes)[number]): Promise<void> {
    nodes.splice(nodes.indexOf(node), 1)
    await node.provider.stop({ linger: 500 })
  }

  await startNode()
  await startNode()
  let calls = 0
  const shops = new CallingShops(nodes[0]!.provider, () => nodes[++calls % nodes.length]!.url)
  await shops.add(named('good', size.shops))
  const start = (number: number) => shops.start(`good${number % size.shops}`, 'psp:card')
  let failed = 0
  const report = await watch(size, {
    name: 'a secret that is changed',
    deadline: 4_000,
    call: start,
    async begin() {
      let replaced = false
      const replacing = replaceNodes().finally(() => (replaced = true))
      replacing.catch(() => {})
      const beside: Promise<void>[] = []
      for (let number = 0; !replaced; number++) {
        const started = start(number).catch(() => false)
        beside.push(started.then((ok) => void (ok || failed++)))
        await pause(1_000 / pace)
      }
      await Promise.all([replacing, ...beside])
    },
    end() {},
    isWell: isChanged,
  })
  if (unopened > 0)
    report.violations.push(`in ${unopened} turns an old node did not open what a new one made`)
  if (failed > 0) report.violations.push(`${failed} calls failed while the nodes were replaced`)
  return report
}
