import { describe, expect, test } from 'vitest'
import { checkout } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { commandsIn, folderWith, onTerminal, production, providerSource, running } from '../command.ts'

const address = /\/e\/[\w-]{43}/
const live = { ...production, NODE_ENV: 'production' }
const folderOf = (source = providerSource()) => folderWith({ 'provider.ts': source })

describe.concurrent('what serve prints of the endpoint', () => {
  test.each([
    ['one process', 'serve'],
    ['workers', 'serve --workers 2'],
  ])('%s without a terminal: no token, and the command that shows it', async (_what, line) => {
    const cwd = folderOf()
    const { child, output, printed, ended } = running(line, { cwd, env: live })
    await printed('Endpoint')
    expect(output.stdout).toContain('https://checkout.example.com')
    expect(output.stdout).toContain('Services  rates, payments')
    expect(output.stdout).not.toContain('Console')
    const [, command = ''] = /purveyor (shop show default --endpoint)/.exec(output.stdout) ?? []
    expect(await commandsIn(cwd, live).out(command)).toMatch(/https:\/\/checkout\.example\.com\/e\/[\w-]{43}/)
    child.kill('SIGTERM')
    await ended
    expect(`${output.stdout}${output.stderr}`).not.toMatch(address)
  })

  test.each(['serve', 'serve --workers 1'])(
    '%s prints the address of a console that it serves',
    async (line) => {
      const cwd = folderOf(providerSource().replace('createProvider({', 'createProvider({ console: {},'))
      const { printed } = running(line, { cwd, env: live })
      await printed('Console   https://checkout.example.com/console/   payments, rates and webhooks')
    },
  )

  test('the JSON line without a terminal has no token either', async () => {
    const { ready, output } = running('serve --json', { cwd: folderOf(), env: live })
    expect(await ready).toEqual({
      ...{ ready: true, url: 'https://checkout.example.com', port: expect.any(Number) },
      ...{ shop: 'default', services: ['rates', 'payments'], estimates: true },
    })
    expect(`${output.stdout}${output.stderr}`).not.toMatch(address)
  })

  test('--show-endpoint prints it', async () => {
    const cwd = folderOf()
    const json = running('serve --json --show-endpoint', { cwd, env: live })
    expect((await json.ready).endpoint).toMatch(address)
    const text = running('serve --show-endpoint --workers 1', { cwd, env: live })
    await text.printed((await json.ready).endpoint)
  })

  test.skipIf(process.platform !== 'linux')('a terminal shows it', async () => {
    // Ctrl+C, once the line of the endpoint is there.
    const shown = await onTerminal('serve', [[/Endpoint[^\n]*\n/, '\x03']], { cwd: folderOf(), env: live })
    expect(shown).toMatch(address)
  })

  test('an error that nobody catches ends production with its place in the log, and without its words', async () => {
    const crash = `quote(request, { shop }) {
      setImmediate(() => { throw Object.assign(new Error(request.shipping_address.zipcode), { shop }) })
      return []
    }`
    const cwd = folderOf(providerSource().replace('quote: () => [method]', crash))
    const { ready, output, ended } = running('serve --json --show-endpoint', { cwd, env: live })
    const { endpoint, port } = await ready
    const asked = postJson(`http://127.0.0.1:${port}${new URL(endpoint).pathname}/shipment_methods`, {
      ...checkout,
      shipping_address: { zipcode: '9876ZZ', country: 'nl' },
    })
    await Promise.all([asked.catch(() => {}), ended])
    expect((await ended)[0]).toBe(1)
    const [line = ''] = output.stderr.split('\n').filter((one) => one.includes('"level":60'))
    expect(JSON.parse(line).err).toMatchObject({
      type: 'Error',
      stack: expect.arrayContaining([expect.stringContaining('provider.ts:')]),
    })
    expect(output.stderr).not.toMatch(/9876ZZ|\/e\/[\w-]{43}/)
  })

  test('shop add without hosts says how the list is closed', async () => {
    const { code, out, err } = await commandsIn(folderOf(), live)('shop add bikes')
    expect([code, out]).toEqual([0, expect.stringMatching(address)])
    expect(err).toMatch(/any public host .* purveyor shop hosts confirm bikes <host\.\.\.>$/)
  })
})
