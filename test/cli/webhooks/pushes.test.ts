import { beforeAll, describe, expect, test } from 'vitest'
import { postJson } from '../../http/post.ts'
import { type Commands, printing, saying } from '../command.ts'
import { type ServingPayments, servePayments } from '../serving-payments.ts'

/** A payment service whose pushes are a list of references, and one that says nothing of payment 13. */
const source = `import { createProvider } from 'purveyor'

const methods = () => [{ id: 'card', title: 'Card' }]
const start = ({ orderId }, { pushUrl }) => {
  console.error('push address ' + pushUrl)
  return { redirect: 'http://127.0.0.1:9/' + orderId, reference: 'tr_' + orderId }
}
const read = ({ body }) => JSON.parse(body.toString()).map((reference) => ({ reference }))
export default createProvider({
  payments: {
    name: 'psp', methods, start, push: { confirm: 'status', read },
    status: ({ orderId, amount, currency }) => {
      if (orderId === '13') throw new Error('the payment service is down')
      return { status: 'paid', amount, currency }
    },
  },
})
`

let served: ServingPayments
let run: Commands

beforeAll(async () => {
  served = await servePayments(source)
  run = served.run
  const sent = [['tr_12'], ['tr_unknown', 'tr_12'], ['tr_13'], [], 'no list']
  for (const references of sent) expect((await postJson(served.pushUrl, references)).status).toBe(204)
  while ((await listed()).some(({ outcome }) => outcome === 'waiting'));
}, 300_000)

const listed = (...args: string[]): Promise<Record<string, unknown>[]> => run.json('pushes list', ...args)

describe('pushes of a payment service', () => {
  test('about an unknown order are listed over all shops, with what they name', async () => {
    const { code, out } = await run('pushes list --outcome unmatched')
    const [titles, line, ...others] = out.split('\n')
    expect([code, others]).toEqual([0, []])
    expect(titles).toMatch(/^push +received +shop +adapter +outcome +names +next try +detail$/)
    expect(line).toMatch(
      /^[\w-]{12} +\S+ \S+ +default +psp +unmatched +tr_unknown +\S+ \S+ +no payment of the shop has/,
    )
    const [unmatched] = await listed('--outcome', 'unmatched')
    const { push } = unmatched as { push: string }
    expect(unmatched).toMatchObject({ shop: 'default', adapter: 'psp', names: ['tr_unknown'], times: 1 })
    for (const id of [push, line!.slice(0, 12)]) {
      const shown = await run('pushes show', id)
      expect(shown.out).toContain(`Push ${push.slice(0, 12)} of shop default through psp: unmatched`)
      expect(shown.out).toContain('Remedy: purveyor explain PUSH_UNMATCHED')
    }
    const next = `Next: purveyor pushes show ${push.slice(0, 12)}`
    expect(await run('payments find tr_unknown')).toMatchObject(printing(0, next))
    expect((await run('payments find TR_unknown')).code).toBe(1)
  })

  test('have one word for what became of them, in the list, the log and the metrics', async () => {
    const outcomes = (await listed()).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['failed', 'failed', 'ignored', 'processed', 'unmatched'])
    const lines = served.log('PUSH_UNMATCHED')
    expect(lines).toMatchObject([{ shop: 'default', adapter: 'psp', outcome: 'unmatched' }])
    expect(JSON.stringify(lines)).not.toContain('tr_unknown')
    const metrics = await served.metrics()
    for (const [outcome, count] of Object.entries({ unmatched: 1, processed: 1, ignored: 1, given_up: 0 }))
      expect(metrics).toContain(`purveyor_pushes_total{adapter="psp",outcome="${outcome}"} ${count}\n`)
    expect(await run.out('explain push_unmatched')).toContain('purveyor pushes list --outcome unmatched')
  })

  test('are found by their own id, with the order that they were about, and a request id is nowhere', async () => {
    const [processed] = await listed('--outcome', 'processed', '--adapter', 'psp')
    const { push, detail } = processed as { push: string; detail: string }
    expect(detail).toBe('paid: noted, the payment of order 12 is paid')
    expect(await listed('--outcome', 'ignored')).toMatchObject([{ detail: 'it names no payment' }])
    for (const id of [push, push.slice(0, 12), push.slice(0, 8)]) {
      const ended = await run('payments find', id)
      const processed = /^The push of psp to shop default at \S+ \S+ is processed \(.*\)\. Next: /
      expect(ended).toMatchObject(printing(0, processed))
      expect(ended.out).toContain(`(${detail}). Next: purveyor pushes show ${push.slice(0, 12)}`)
    }
    const [found] = (await run.json('payments find', push)).pushes
    expect(found).toMatchObject({ key: push, outcome: 'processed', detail })
    // Fewer letters of an id name no push.
    expect((await run('payments find', push.slice(0, 7))).code).toBe(1)

    const request = String(served.log().find(({ requestId }) => requestId)?.requestId)
    expect(request).toMatch(/^[\w-]{36}$/)
    const none = 'Request ids are not stored: the line `answered` in the log has the shop'
    expect(await run('payments find', request)).toMatchObject(printing(1, none))
    expect(await run.out('payments find --help')).toMatch(/A request\s+id\s+is\s+not\s+stored/)
  })

  test('that fail say why and when they are tried again, without what they carried', async () => {
    const failed = await listed('--outcome', 'failed')
    expect(failed.map(({ detail }) => detail).sort()).toEqual([
      'the adapter failed to read it; the log says where',
      'the payment service is down',
    ])
    for (const { dueAt, tries, push } of failed as { dueAt: number; tries: number; push: string }[]) {
      expect(dueAt).toBeGreaterThan(Date.now() - 1_000)
      expect(tries).toBeGreaterThan(0)
      expect(await run.out('pushes show', push)).toContain('purveyor lanes show push default psp')
    }
  })

  test('are chosen by adapter and shop; what names none, or no outcome, is refused', async () => {
    expect(await listed('--adapter', 'psp', '--shop', 'default', '--limit', '2')).toHaveLength(2)
    expect(await run.out('pushes list --adapter other')).toBe('No pushes came in the last 30 days.')
    expect(await run.out('pushes list --outcome given_up')).toBe('No pushes are given_up.')
    expect((await run('pushes list --outcome lost')).code).toBe(2)
    expect(await run('pushes show abc')).toMatchObject(saying(2, '8 char'))
    expect(await run('pushes show abcdefgh')).toMatchObject(saying(2, 'There is no push abcdefgh'))
  })

  test('that are unmatched are a line of doctor', async () => {
    const { out } = await run('doctor')
    expect(out).toMatch(/warn +pushes +Of the last day: 1 unmatched, 0 given up, 2 failed/)
    expect(out).toContain('-> purveyor pushes list --outcome unmatched')
  })
})
