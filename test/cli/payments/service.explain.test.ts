import { describe, expect, test } from 'vitest'
import { folderWith, purveyor } from '../command.ts'

const provider = `
import { createProvider, paymentAdapter } from 'purveyor'
import { z } from '${new URL('../../../node_modules/zod/index.js', import.meta.url).href}'

const start = () => ({ later: true } as const)
export default createProvider({
  payments: {
    adapters: [
      paymentAdapter({
        name: 'keyed',
        settings: z.object({ key: z.string() }),
        methods: (_request, { settings }) => [{ id: settings.key, title: 'Card' }],
        start,
      }),
      paymentAdapter({ name: 'insured', methods: (_request, { none }) => none('nothing above 5,000 EUR'), start }),
    ],
  },
})
`

describe.concurrent('payments explain', () => {
  test('says why each method is offered or not, and doctor fails a shop that offers none', async () => {
    const cwd = folderWith({ 'provider.ts': provider })
    expect(await purveyor(['shop', 'add', 'bikes'], { cwd })).toMatchObject({ code: 0 })
    const explained = await purveyor(['payments', 'explain', '--json'], { cwd })
    expect(JSON.parse(explained.stdout)).toMatchObject({
      shop: 'bikes',
      adapters: [
        { adapter: 'keyed', result: 'failed', reason: expect.stringMatching(/settings/), methods: [] },
        { adapter: 'insured', result: 'none', reason: 'nothing above 5,000 EUR', methods: [] },
      ],
    })
    expect(explained.code).toBe(1)
    const { stdout } = await purveyor(['doctor', '--json'], { cwd })
    const { results } = JSON.parse(stdout) as { results: { name: string }[] }
    expect(results.find(({ name }) => name === 'payment adapters')).toMatchObject({
      verdict: 'fail',
      says: expect.stringMatching(
        /^keyed failed, .*settings.*; insured offers 0 methods, nothing above 5,000 EUR$/,
      ),
      remedy: 'Nothing can be paid: purveyor payments explain --shop bikes',
    })
  })
})
