import { expect, test } from 'vitest'
import { commandsIn, folderWith } from '../command.ts'
import { doctor, found } from '../doctor/found.ts'

const provider = `import { createProvider, paymentAdapter, z } from 'purveyor'

const start = () => ({ later: true } as const)
const methods = (_request, { settings }) => [{ id: settings.key, title: 'Card' }]
export default createProvider({ payments: [
  paymentAdapter({ name: 'keyed', settings: z.object({ key: z.string() }), methods, start }),
  paymentAdapter({ name: 'insured', methods: (_request, { none }) => none('nothing above 5,000 EUR'), start }),
] })
`

test('payments explain says why each method is offered or not, and doctor fails a shop that offers none', async () => {
  const cwd = folderWith({ 'provider.ts': provider })
  const run = commandsIn(cwd)
  expect((await run('shop add bikes')).code).toBe(0)
  const { code, out } = await run('payments explain --json')
  expect([code, JSON.parse(out).shop]).toEqual([1, 'bikes'])
  expect(JSON.parse(out).adapters).toMatchObject([
    { adapter: 'keyed', result: 'failed', reason: expect.stringMatching(/settings/), methods: [] },
    { adapter: 'insured', result: 'none', reason: 'nothing above 5,000 EUR', methods: [] },
  ])
  const says = /^keyed failed, .*settings.*; insured offers 0 methods, nothing above 5,000 EUR$/
  const remedy = 'Nothing can be paid: purveyor payments explain --shop bikes'
  expect((await doctor(cwd)).of('payment adapters')).toMatchObject({ ...found('fail', says), remedy })
})
