import { beforeAll, describe, expect, test } from 'vitest'
import { postJson } from '../../http/post.ts'
import type { Commands } from '../command.ts'
import { type ServingPayments, servePayments } from '../serving-payments.ts'

/** A payment service that hangs, and whose pushes nobody can verify. */
const source = `import { createProvider } from 'purveyor'

const start = (_attempt, { pushUrl }) => {
  console.error('push address ' + pushUrl)
  return new Promise(() => {})
}
export default createProvider({
  payments: {
    deadlines: { start: 300 },
    adapters: { name: 'psp', methods: () => [{ id: 'card', title: 'Card' }], start, push: { verify: () => false, read: () => [] } },
  },
})
`

let served: ServingPayments
let run: Commands

beforeAll(async () => {
  served = await servePayments(source)
  run = served.run
  expect(served.started).toEqual([504, 504])
  for (const body of ['a', 'b', 'c']) expect((await postJson(served.pushUrl, body)).status).toBe(401)
  while ((await run('pushes', 'refused', '--json')).out === '[]');
  while ((await run.json('lanes', 'list'))[0]?.failures !== 2);
}, 300_000)

const at = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`
const why = 'no answer within 300 ms'

describe('a payment service that hangs', () => {
  test('is a lane of starts: since when, why, for how many starts and shops; and there is nothing to open', async () => {
    const listed = (await run('lanes', 'list')).out
    expect(listed).toMatch(
      new RegExp(`^starts +@all +psp +failing +${at} +0 +${why}; 2 starts of 1 shop, the last ${at}$`, 'm'),
    )
    const shown = (await run('lanes', 'show', 'starts', '@all', 'psp')).out
    expect(shown).toMatch(/^Lane of starts of all shops by psp: failing$/m)
    expect(shown).toMatch(/^ {2}shops +default$/m)
    expect(shown).toContain('purveyor explain PAYMENT_START_TIMEOUT')
    expect(await run('lanes', 'open', 'starts', '@all', 'psp')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Nothing holds starts back'),
    })
    expect((await run('lanes', 'show', 'starts', '@all', 'other')).err).toContain('failed within 30 days')
  })

  test('is what a payment waits for, and has a page for the one on call', async () => {
    const found = (await run('payments', 'find', '12')).out
    expect(found).toMatch(
      new RegExp(`${at}: start failed: ${why}; the customer may try again until it expires`),
    )
    expect(found).toContain('; starts by psp fail for 1 shop since')
    expect(found).toContain('Next: purveyor lanes show starts @all psp')
    const named = await run('payments', 'find', 'psp')
    expect(named.code).toBe(0)
    expect(named.out).toMatch(new RegExp(`^Starts by psp fail for 1 shop since ${at}: 2 failed`, 'm'))
    expect((await run('explain', 'PAYMENT_START_TIMEOUT')).out).toContain('purveyor lanes list --kind starts')
  })
})

describe('pushes that nobody can verify', () => {
  test('are counted by shop and adapter, in commands, metrics and the access line', async () => {
    const refused = (await run('pushes', 'refused')).out
    expect(refused).toMatch(
      new RegExp(`^default +psp +3 +${at} +${at} +push\\.verify does not accept its signature$`, 'm'),
    )
    expect(refused).toContain('purveyor explain PUSH_NOT_VERIFIED')
    expect((await run('pushes', 'list')).out).toContain('3 calls within a day could not be verified')
    expect(await run.json('pushes', 'refused', '--adapter', 'psp')).toMatchObject([
      { shop: 'default', adapter: 'psp', calls: 3 },
    ])
    expect(await (await fetch(`${served.url}/metrics`)).text()).toContain(
      'purveyor_pushes_total{adapter="psp",outcome="refused"} 3',
    )
    const line = served
      .log()
      .split('\n')
      .find((one) => one.includes('PUSH_NOT_VERIFIED') && one.includes('answered'))
    expect(JSON.parse(line!)).toMatchObject({ shop: 'default', adapter: 'psp' })
  })

  test('and failing starts are findings of doctor', async () => {
    const { results } = await run.json('doctor')
    const of = (name: string) => results.find((one: { name: string }) => one.name === name)
    expect(of('failing starts')).toMatchObject({
      verdict: 'warn',
      says: expect.stringMatching(
        new RegExp(
          `^Starts of all shops by psp: failing since ${at}, ${why}; 2 starts of 1 shop, the last ${at}$`,
        ),
      ),
      remedy: expect.stringContaining('purveyor lanes list --kind starts'),
    })
    expect(of('refused pushes')).toMatchObject({
      verdict: 'warn',
      says: expect.stringMatching(/^3 refused calls of psp for 1 shop, the first /),
    })
  })
})
