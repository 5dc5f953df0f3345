import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { defaultLimits, pageLimits } from '../../../src/http/limits.ts'
import { checkout, payment, shopUrls } from '../../http/messages.ts'
import { lastingStore } from '../../production-store.ts'
import { largestCart } from './ask-rates.ts'
import { metricsToken, pathOf } from './target.ts'
import { visitedProvider } from './visited-provider.ts'

const head = 'Host: provider.example\r\n'
const getOf = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${head}${more}\r\n`
const postOf = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Sockets that have had an answer: a server accepts one connection in a turn, so new ones would come in one by one. */
async function connected(port: number, count: number) {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => answerTo(socket, getOf('/health/live'))))
  return { sockets, close: () => sockets.forEach((socket) => void socket.destroy()) }
}

async function answerTo(socket: Socket, request: string): Promise<{ status: number; text: string }> {
  socket.write(request)
  const [answer] = await once(socket, 'data')
  return { status: Number(String(answer).slice(9, 12)), text: String(answer) }
}

const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length

/**
 * Many requests for one address in one go, and the call of a shop or a visit of another page behind them: in which order they are answered,
 * and how many of them. It counts and measures no time, so it holds on any machine.
 */
export async function tryVisitors(crowd = 300) {
  const provider = visitedProvider(lastingStore())
  const shop = pathOf((await provider.shops.add('shop')).endpoint)
  const other = pathOf((await provider.shops.add('other')).endpoint)
  const { port } = await provider.listen({ port: 0, host: '127.0.0.1' })
  const violations: string[] = []
  const rates = postOf(`${other}/shipment_methods`, JSON.stringify(checkout))
  let requests = 0

  /** Sends them all in one turn, so that the provider reads them in one. The request of another comes last. */
  async function all(
    what: string,
    request: string | readonly string[],
    count = crowd,
    { last, expected } = { last: rates, expected: 201 },
  ): Promise<{ statuses: number[]; seconds: number }> {
    const { sockets, close } = await connected(port, count + 1)
    const calling = sockets.pop()!
    const began = performance.now()
    const sent = [request].flat()
    requests += count
    let answered = 0
    const answers = sockets.map(async (socket, at) => {
      const { status } = await answerTo(socket, sent[at % sent.length]!)
      // A body over the limits is refused by its head, while larger ones are still on their way.
      if (status !== 429 || sent[0]!.startsWith('GET')) answered++
      return status
    })
    const { status } = await answerTo(calling, last)
    if (status !== expected) violations.push(`${what}: the request of another was answered ${status}`)
    if (answered > count / 2)
      violations.push(`${what}: the request of another waited for ${answered} of ${count}`)
    const statuses = await Promise.all(answers)
    calling.destroy()
    close()
    return { statuses, seconds: (performance.now() - began) / 1_000 }
  }

  const { sockets, close } = await connected(port, 1)
  const pageOf = async (id: number) => {
    const order = JSON.stringify({ ...payment({ id, method: 'page:page' }), ...shopUrls })
    const { text } = await answerTo(sockets[0]!, postOf(`${shop}/payment`, order))
    return /"payment_url":"https:\/\/provider\.example([^"]+)"/.exec(text)![1]!
  }
  const pages = [await pageOf(1), await pageOf(2), await pageOf(3)] as const
  // Together they take more visits than the crowd has.
  const more: string[] = []
  while (more.length < crowd / 50) more.push(await pageOf(more.length + 4))
  await answerTo(sockets[0]!, rates)
  close()

  const visits = await all('one page', getOf(pages[0]))
  const { perSecond, burst } = pageLimits
  const most = burst + perSecond * visits.seconds
  const opened = countOf(visits.statuses, 200)
  if (opened === 0 || opened > most) violations.push(`one page was opened ${opened} times`)
  // Those within the rate of their page go first, and as many of the others meanwhile.
  await all('beside one page', getOf(pages[1]), 2 * crowd, { last: getOf(pages[2]), expected: 200 })
  await all(
    'many pages',
    more.map((path) => getOf(path)),
  )
  for (const path of ['/health/live', '/health/ready', '/health/ready/rates', `/p/${'x'.repeat(43)}`])
    await all(path, getOf(path))
  await all('/metrics', getOf('/metrics', `Authorization: Bearer ${metricsToken}\r\n`))

  const carts = await all('largest carts', postOf(`${shop}/shipment_methods`, largestCart), 40)
  const cost = largestCart.length / 4_096
  const taken = countOf(carts.statuses, 201)
  if (taken === 0 || taken > 1 + (defaultLimits.burst + defaultLimits.perSecond * carts.seconds) / cost)
    violations.push(`${taken} carts of the largest size were taken from one shop`)
  await provider.stop()
  return { requests, violations }
}
