import { describe, expect, test } from 'vitest'
import { checkout, payment, shopUrls } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { repository } from '../../journey/project.ts'
import { freePort } from '../../ports.ts'
import { commandsIn, folderWith, production, providerSource, running, saying, serving } from '../command.ts'

const secret = { PURVEYOR_SECRET: production.PURVEYOR_SECRET }
const tunnel = 'https://my-tunnel.example.com'
const payments = `${repository}templates/payments/provider.ts`
const inCode = (option: string) => providerSource().replace('createProvider({', `createProvider({ ${option},`)
const folderOf = (source = providerSource()) => folderWith({ 'provider.ts': source })
/** What a command that ends before it is ready says, and that it prints nothing. */
const refusing = (code: number, words: string | RegExp) => ({ ...saying(code, words), out: '' })

describe('serve', () => {
  test('names all that production lacks at once, and that it is production', async () => {
    const { code, err } = await commandsIn(folderOf(), { NODE_ENV: 'development' })('serve')
    expect(code).toBe(3)
    expect(err.split('\n').slice(1)).toEqual([
      '  - secret (PURVEYOR_SECRET) is required in production: set it to 32 random characters or more, such as `openssl rand -hex 32` prints',
      '  - publicUrl (PURVEYOR_PUBLIC_URL) is required in production: set it to the https address that the shop calls',
      'This is production, because NODE_ENV is production, as `purveyor serve` sets it.',
      'Code: CONFIGURATION_INVALID. More: purveyor explain CONFIGURATION_INVALID',
    ])
  })

  test('refuses development: true in the code, and names the flag where it helps', async () => {
    const cwd = folderOf(inCode('development: true'))
    const alone = /development is true, and NODE_ENV is production.*purveyor serve --development/
    expect(await commandsIn(cwd, secret)('serve')).toMatchObject(saying(3, alone))
    // It would refuse a public address too.
    const publicly = /development is true, and NODE_ENV is production[^:]*: remove it$/m
    const env = { ...secret, PURVEYOR_PUBLIC_URL: tunnel }
    expect(await commandsIn(cwd, env)('serve')).toMatchObject(saying(3, publicly))
  })

  test('does not start where no adapter is left, whatever tunnel the environment names', async () => {
    const env = { ...secret, PURVEYOR_PUBLIC_URL: tunnel, PURVEYOR_TUNNEL_URL: tunnel }
    const says = 'adapters that are developmentOnly, which production leaves out, and no other'
    const ended = await commandsIn(folderWith(), env)(`serve --provider ${payments}`)
    expect(ended).toMatchObject(refusing(3, says))
  })

  test.each<[string, string, Record<string, string>]>([
    ['the environment', providerSource(), { PURVEYOR_PUBLIC_URL: tunnel }],
    ['the code', inCode(`publicUrl: '${tunnel}'`), secret],
  ])('--development beside a public address of %s is refused', async (_what, source, env) => {
    const cwd = folderOf(source)
    const said = /publicUrl is not an address of this machine.*purveyor dev --public-url/
    expect(await commandsIn(cwd, env)('serve --development')).toMatchObject(refusing(2, said))
    // Its shop shows the same, and waits for the change that repairs it.
    const { child, printed, output } = running('dev --port 0 --json', { cwd, env })
    await printed('"ready":false')
    await expect.poll(() => output.stderr).toMatch(said)
    child.kill('SIGTERM')
  })

  test('--development is for this machine, also where NODE_ENV is production', async () => {
    const { url } = await serving(folderOf(), { NODE_ENV: 'production' }).ready
    expect((await fetch(`${url}/metrics`)).status).toBe(200)
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(403)
  })
})

describe('dev --public-url', () => {
  test('runs by the rules of production, and its test payment moves no real money', async () => {
    const cwd = folderWith()
    const port = await freePort()
    const words = `dev --public-url ${tunnel}/ --port ${port} --json`
    const { ready, child, ended } = running(words, { cwd, env: secret })
    const line = await ready
    expect(line).toEqual({
      ...{ ready: true, url: tunnel, port, services: ['rates', 'payments'], estimates: true },
      endpoint: expect.stringMatching(/^https:\/\/my-tunnel\.example\.com\/e\/[\w-]{43}$/),
    })
    const at = `http://127.0.0.1:${port}`
    // As the tunnel sends it on.
    const forwarded = { 'x-forwarded-for': '192.0.2.7' }
    const post = (name: string, body: object) =>
      postJson(`${at}${new URL(line.endpoint).pathname}/${name}`, body, forwarded)
    expect(await (await post('payment_methods', checkout)).text()).toContain('Test payment')
    expect((await post('payment', payment({ method: 'test' }))).status).toBe(422)
    const order = { ...payment({ method: 'test' }), ...shopUrls }
    expect((await post('payment', order)).status).toBe(201)
    const run = commandsIn(cwd, { ...secret, PURVEYOR_PUBLIC_URL: tunnel })
    expect(await run.out('payments show 1001')).toContain('(test)')
    expect((await fetch(`${at}/metrics`)).status).toBe(404)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  const sound = providerSource()
  const elsewhere = inCode("publicUrl: 'https://checkout.example.com'")
  const record = "option '--public-url <url>' cannot be used with option '--record <folder>'"
  const inProduction = { ...secret, NODE_ENV: 'production' }
  test.each<[string, string, Record<string, string>, string, number, string]>([
    ['no secret', tunnel, {}, sound, 3, 'PURVEYOR_SECRET) is required in production'],
    ['an http address', 'http://my-tunnel.example.com', secret, sound, 2, 'Write an https address'],
    ['no address', 'my-tunnel', secret, sound, 2, 'Write an https address'],
    ['a recording', `${tunnel} --record calls`, secret, sound, 2, record],
    ['production', tunnel, inProduction, sound, 2, 'In production run purveyor serve'],
    [
      'another address in the code',
      tunnel,
      secret,
      elsewhere,
      2,
      'sets publicUrl to https://checkout.example.com',
    ],
  ])('with %s says what to change', async (_what, args, env, source, exit, words) => {
    const run = commandsIn(folderOf(source), env)
    expect(await run(`dev --port 0 --public-url ${args}`)).toMatchObject(refusing(exit, words))
  })
})
