import { connect } from 'node:net'
import { hashToken } from '../../../src/shops/seal.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { memoryStore } from '../../../src/stores/memory.ts'
import { checkout } from '../../http/messages.ts'
import { getOf, openTarget, pathOf, postOf, type Target } from './target.ts'

const lookUps = ['shopByEndpoint', 'attemptByPage', 'shopByPushToken'] as const
/** More than these would leave a server's connections to strangers. */
const placesAtMost = 4

/** Forms for pages that are not there, most of which never comes. Resolves with whether other strangers are served beside them. */
async function areServedBesideSlowForms({ provider, call }: Target): Promise<boolean> {
  const { port } = await provider.listen({ port: 0, host: '127.0.0.1' })
  let answered = 0
  const sockets = Array.from({ length: placesAtMost }, (_, at) => {
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\ncode=1'
    const socket = connect(port, '127.0.0.1').once('data', () => answered++)
    socket.write(`POST /p/${String(at).padStart(43, 'x')} HTTP/1.1\r\nHost: a\r\n${form}`)
    return socket
  })
  let status = 404
  while (status === 404 && answered < placesAtMost) {
    await new Promise((resolve) => setImmediate(resolve))
    status = (await call(getOf(`/p/${'y'.repeat(43)}`))).status
  }
  for (const socket of sockets) socket.destroy()
  return status === 404
}

/** Unknown tokens, all at once and on every kind of address, beside a shop that calls. */
export async function tryGuesses(guesses: number) {
  const memory = memoryStore()
  let [atOnce, most] = [0, 0]
  let known: string | undefined
  const slow = (name: (typeof lookUps)[number]) => async (token: string, more: string) => {
    // The shop beside them is looked up again every five seconds, outside the lane.
    if (token === known) return memory[name](token, more as never)
    most = Math.max(most, ++atOnce)
    await new Promise((resolve) => setTimeout(resolve, 2))
    atOnce--
    return memory[name](token, more as never)
  }
  const slowLookUps = Object.fromEntries(lookUps.map((name) => [name, slow(name)]))
  await using target = await openTarget({
    store: { ...memory, ...slowLookUps, volatile: false } as StorePort,
  })
  const endpoint = pathOf((await target.provider.shops.add('known')).endpoint)
  known = hashToken(endpoint.split('/').at(-1)!)
  const rates = postOf(`${endpoint}/shipment_methods`, checkout)
  const violations: string[] = []
  const statuses: Record<number, number> = {}
  if ((await target.call(rates)).status !== 201) violations.push('the first call of a shop is not answered')
  const all = Array.from({ length: guesses }, async (_, at) => {
    const token = String(at).padStart(43, '0')
    const path = [`/e/${token}/payment/1`, `/p/${token}`, `/n/psp/${token}`][at % 3]!
    const { status } = await target.call({ method: at % 3 === 2 ? 'POST' : 'GET', path })
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  const beside = await Promise.all(Array.from({ length: 20 }, () => target.call(rates)))
  await Promise.all(all)
  const refused = beside.filter(({ status }) => status !== 201)
  if (refused.length > 0)
    violations.push(`${refused.length} calls of a shop were answered ${refused[0]!.status}`)
  if (!(await areServedBesideSlowForms(target))) violations.push('guesses with a slow form keep their places')
  if (target.log.some((line) => line.includes('"answered"') && !line.includes('"shop"')))
    violations.push('guesses fill the log')
  if (most > placesAtMost) violations.push(`${most} look-ups of guesses at a time`)
  if (guesses > 10_100 && !statuses[429]) violations.push(`${guesses} guesses at once all wait`)
  for (const status of Object.keys(statuses).map(Number)) {
    if (status !== 404 && status !== 429) violations.push(`a guess is answered ${status}`)
  }
  return { guesses, most_at_once: most, statuses, violations }
}
