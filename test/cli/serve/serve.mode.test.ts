import { describe, expect, test } from 'vitest'
import { checkout, payment, shopUrls } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { repository } from '../../journey/project.ts'
import { freePort } from '../../ports.ts'
import { folderWith, production, providerSource, purveyor, running, serving } from '../command.ts'

const secret = { PURVEYOR_SECRET: production.PURVEYOR_SECRET }
const tunnel = 'https://my-tunnel.example.com'
const payments = `${repository}templates/payments/provider.ts`
const inCode = (option: string) => providerSource().replace('createProvider({', `createProvider({ ${option},`)

describe('serve', () => {
  test('names all that production lacks at once, and that it is production', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { code, stderr } = await purveyor(['serve'], { cwd, env: { NODE_ENV: 'development' } })
    expect([code, stderr.split('\n').slice(1)]).toEqual([
      3,
      [
        '  - secret (PURVEYOR_SECRET) is required in production: set it to 32 random characters or more, such as `openssl rand -hex 32` prints',
        '  - publicUrl (PURVEYOR_PUBLIC_URL) is required in production: set it to the https address that the shop calls',
        'This is production, because NODE_ENV is production, as `purveyor serve` sets it.',
        'Code: CONFIGURATION_INVALID. More: purveyor explain CONFIGURATION_INVALID',
        '',
      ],
    ])
  })

  test('refuses development: true in the code, and names the flag where it helps', async () => {
    const cwd = folderWith({ 'provider.ts': inCode('development: true') })
    const [alone, publicly] = [
      await purveyor(['serve'], { cwd, env: secret }),
      await purveyor(['serve'], { cwd, env: { ...secret, PURVEYOR_PUBLIC_URL: tunnel } }),
    ]
    expect([alone.code, publicly.code]).toEqual([3, 3])
    expect(alone.stderr).toMatch(
      /development is true, and NODE_ENV is production.*purveyor serve --development/,
    )
    // It would refuse a public address too.
    expect(publicly.stderr).toMatch(/development is true, and NODE_ENV is production[^:]*: remove it$/m)
  })

  test('does not start where no adapter is left, whatever tunnel the environment names', async () => {
    const env = { ...secret, PURVEYOR_PUBLIC_URL: tunnel, PURVEYOR_TUNNEL_URL: tunnel }
    const { code, stdout, stderr } = await purveyor(['serve', '--provider', payments], {
      cwd: folderWith(),
      env,
    })
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('adapters that are developmentOnly, which production leaves out, and no other')
  })

  test.each([
    ['the environment', providerSource(), { PURVEYOR_PUBLIC_URL: tunnel }],
    ['the code', inCode(`publicUrl: '${tunnel}'`), secret],
  ])('--development beside a public address of %s is refused', async (_what, source, env) => {
    const cwd = folderWith({ 'provider.ts': source })
    const said = /publicUrl is not an address of this machine.*purveyor dev --public-url/
    const served = await purveyor(['serve', '--development'], { cwd, env: env as Record<string, string> })
    expect([served.code, served.stdout]).toEqual([2, ''])
    expect(served.stderr).toMatch(said)
    // Its shop shows the same, and waits for the change that repairs it.
    const { child, printed, output } = running(['dev', '--port', '0', '--json'], {
      cwd,
      env: env as Record<string, string>,
    })
    await printed('"ready":false')
    await expect.poll(() => output.stderr).toMatch(said)
    child.kill('SIGTERM')
  })

  test('--development is for this machine, also where NODE_ENV is production', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { url } = await serving(cwd, { NODE_ENV: 'production' }).ready
    expect((await fetch(`${url}/metrics`)).status).toBe(200)
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(403)
  })
})

describe('dev --public-url', () => {
  test('runs by the rules of production, and its test payment moves no real money', async () => {
    const cwd = folderWith()
    const port = await freePort()
    const { ready, child, ended } = running(
      ['dev', '--public-url', `${tunnel}/`, '--port', String(port), '--json'],
      { cwd, env: secret },
    )
    const line = await ready
    expect(line).toEqual({
      ready: true,
      url: tunnel,
      endpoint: expect.stringMatching(/^https:\/\/my-tunnel\.example\.com\/e\/[\w-]{43}$/),
      services: ['rates', 'payments'],
      estimates: true,
      port,
    })
    const at = `http://127.0.0.1:${port}`
    const post = (name: string, body: object) =>
      postJson(`${at}${new URL(line.endpoint).pathname}/${name}`, body, {
        // As the tunnel sends it on.
        'x-forwarded-for': '192.0.2.7',
      })
    expect(await (await post('payment_methods', checkout)).text()).toContain('Test payment')
    expect((await post('payment', payment({ method: 'test' }))).status).toBe(422)
    const order = { ...payment({ method: 'test' }), ...shopUrls }
    expect((await post('payment', order)).status).toBe(201)
    const env = { ...secret, PURVEYOR_PUBLIC_URL: tunnel }
    expect((await purveyor(['payments', 'show', '1001'], { cwd, env })).stdout).toContain('(test)')
    expect((await fetch(`${at}/metrics`)).status).toBe(404)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test.each<[string, string[], Record<string, string>, number, RegExp]>([
    ['no secret', [tunnel], {}, 3, /PURVEYOR_SECRET\) is required in production/],
    ['an http address', ['http://my-tunnel.example.com'], secret, 2, /An https address/],
    ['no address', ['my-tunnel'], secret, 2, /An https address/],
    [
      'a recording',
      [tunnel, '--record', 'calls'],
      secret,
      2,
      /'--public-url <url>' cannot be used with option '--record <folder>'/,
    ],
    ['production', [tunnel], { ...secret, NODE_ENV: 'production' }, 2, /In production run purveyor serve/],
  ])('with %s says what to change', async (_what, args, env, exit, words) => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { code, stdout, stderr } = await purveyor(['dev', '--port', '0', '--public-url', ...args], {
      cwd,
      env,
    })
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toMatch(words)
  })

  test('beside another address in the code is refused', async () => {
    const cwd = folderWith({ 'provider.ts': inCode("publicUrl: 'https://checkout.example.com'") })
    const { code, stdout, stderr } = await purveyor(['dev', '--port', '0', '--public-url', tunnel], {
      cwd,
      env: secret,
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('sets publicUrl to https://checkout.example.com')
  })
})
