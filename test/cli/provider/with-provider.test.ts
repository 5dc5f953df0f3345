import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../../journey/project.ts'
import { commandsIn, folderWith, production } from '../command.ts'

const pino = join(repository, 'node_modules/pino/pino.js')
const request = readFileSync(join(repository, 'examples/rates-table/request.json'), 'utf8')

/** A provider whose log, and whose own code, write to standard output. */
const source = `import { createProvider, price } from 'purveyor'
import { pino } from '${pino}'

console.log('the provider is loaded')
const method = { id: 'door', title: 'Door', ...price({ excl: '5.00', taxRate: '0.21', currency: 'eur' }) }
export default createProvider({
  logger: pino({ level: 'trace' }),
  payments: { name: 'psp', methods: () => [], start: () => ({ redirect: 'https://psp.example/' }) },
  rates: {
    name: 'carrier',
    quote(_request, { log }) {
      log.info({ adapter: 'carrier' }, 'line of level info')
      log.warn({ adapter: 'carrier' }, 'line of level warn')
      return [method]
    },
  },
})
`

describe.concurrent('a command that loads a provider', { timeout: 300_000 }, () => {
  const run = (line: string, env: Record<string, string> = {}) =>
    commandsIn(folderWith({ 'provider.ts': source, 'request.json': request }), {
      ...{ ...production, NODE_ENV: 'production' },
      ...env,
    })(line)
  const explained = 'rates explain --file request.json --json'

  test('prints its report alone, also where the log of the provider writes to standard output', async () => {
    const { code, out, err } = await run(explained)
    expect(code, err).toBe(0)
    expect(out.split('\n')).toHaveLength(1)
    expect(JSON.parse(out)).toMatchObject({ asked: 'checkout', adapters: [{ adapter: 'carrier' }] })
    expect(err).toContain('the provider is loaded')
    expect(err).toContain('line of level warn')
    expect(err).not.toMatch(/"level":(10|20|30)/)
  })

  test('leaves its errors to be read by people, and logs more if it is asked to', async () => {
    const added = await run('shop add bikes --json')
    expect(JSON.parse(added.out)).toMatchObject({ shop: 'bikes' })
    expect(added.err).not.toContain('{"level"')
    const all = await run(explained, { PURVEYOR_LOG_LEVEL: 'info' })
    expect(all.err).toContain('line of level info')
    expect(JSON.parse(all.out).asked).toBe('checkout')
  })
})
