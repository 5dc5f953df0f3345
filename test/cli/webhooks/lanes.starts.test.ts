import { beforeAll, describe, expect, test } from 'vitest'
import { postJson } from '../../http/post.ts'
import { type Commands, saying } from '../command.ts'
import { doctor, found } from '../doctor/found.ts'
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
  while ((await run.out('pushes refused --json')) === '[]');
  while ((await run.json('lanes list'))[0]?.failures !== 2);
}, 300_000)

const at = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`
const why = 'no answer within 300 ms'
/** A line, or the part of one, in which `AT` is a time. */
const line = (text: string) => new RegExp(text.replaceAll('AT', at), 'm')

describe('a payment service that hangs', () => {
  test('is a lane of starts: since when, why, for how many starts and shops; and there is nothing to open', async () => {
    const failing = line(`^starts +@all +psp +failing +AT +0 +${why}; 2 starts of 1 shop, the last AT$`)
    expect(await run.out('lanes list')).toMatch(failing)
    const shown = await run.out('lanes show starts @all psp')
    expect(shown).toMatch(/^Lane of starts of all shops by psp: failing$/m)
    expect(shown).toMatch(/^ {2}shops +default$/m)
    expect(shown).toContain('purveyor explain PAYMENT_START_TIMEOUT')
    const opened = await run('lanes open starts @all psp')
    expect(opened).toMatchObject(saying(2, 'Nothing holds starts back'))
    expect((await run('lanes show starts @all other')).err).toContain('failed within 30 days')
  })

  test('is what a payment waits for, and has a page for the one on call', async () => {
    const found = await run.out('payments find 12')
    expect(found).toMatch(
      line(`the customer may try again until it expires AT; asked AT: start failed: ${why}`),
    )
    expect(await run.out('explain PAYMENT_START_TIMEOUT')).toContain('purveyor lanes list --kind starts')
  })
})

describe('pushes that nobody can verify', () => {
  test('are counted by shop and adapter, in commands, metrics and the access line', async () => {
    const refused = await run.out('pushes refused')
    expect(refused).toMatch(line('^default +psp +3 +AT +AT +push.verify does not accept its signature$'))
    expect(refused).toContain('purveyor explain PUSH_NOT_VERIFIED')
    expect(await run.out('pushes list')).toContain('3 calls within a day could not be verified')
    const ofPsp = await run.json('pushes refused --adapter psp')
    expect(ofPsp).toMatchObject([{ shop: 'default', adapter: 'psp', calls: 3 }])
    expect(await served.metrics()).toContain('purveyor_pushes_total{adapter="psp",outcome="refused"} 3')
    const answered = served.log('PUSH_NOT_VERIFIED').find(({ msg }) => msg === 'answered')
    expect(answered).toMatchObject({ shop: 'default', adapter: 'psp' })
  })

  test('and failing starts are findings of doctor', async () => {
    const { of } = await doctor(served.cwd)
    const says = line(
      `^Starts of all shops by psp: failing since AT, ${why}; 2 starts of 1 shop, the last AT$`,
    )
    expect(of('failing starts')).toMatchObject(found('warn', says, 'purveyor lanes list --kind starts'))
    const refused = /^3 refused calls of psp for 1 shop, the first /
    expect(of('refused pushes')).toMatchObject(found('warn', refused))
  })
})
