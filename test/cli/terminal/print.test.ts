import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { postJson } from '../../http/post.ts'
import { isLong } from '../../long.ts'
import { openShop } from '../../platform/sandbox.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { sourcesIn } from '../../sources.ts'
import { commandsIn, folderWith, platformOf, providerSource, purveyor } from '../command.ts'

/** Clears the screen, writes a line of its own and one over another, runs backwards, and hides. */
const steering = '\u001b[2J\nok  all is well\rok\b\u009b31m\u202e\u2066\u200b\u007f'
const steers = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^ok {2}all is well/mu

/** A provider whose every answer carries it: in fields, addresses, headers and statuses. */
async function hostileEndpoint(): Promise<string> {
  const origin = await serveOrigin((req, res) => {
    req.resume()
    const title = `Courier ${steering}`
    const method = { id: title, title, price_incl: steering, price_excl: 1, tax_rate: 0.21, icon: steering }
    const answers: Record<string, unknown> = {
      shipment_methods: { shipment_methods: [method] },
      payment_methods: { payment_methods: [method] },
      payment: { payment_url: `https://psp.example/${steering}` },
    }
    const name = req.url?.split('/').at(-1) ?? ''
    const headers = { 'content-type': 'application/json', 'x-name': '\u009b31m', 'retry-after': '\u009bsoon' }
    res.writeHead(req.method === 'POST' ? 201 : 200, headers)
    res.end(JSON.stringify(answers[name] ?? { status: steering }))
  }, atEnd)
  return `${origin}/e/token`
}

test('no command prints past print.ts', () => {
  const files = sourcesIn('cli').filter(({ file }) => file !== 'terminal/print.ts')
  const printing = /console\.\w+\([^)]*|std(?:out|err)\.write\(.*/g
  const past = files.flatMap(({ file, text }) =>
    [...text.matchAll(printing)].map(([line]) => `${file}: ${line}`),
  )
  // A list has a line each: joined, its line breaks would count as a stranger's.
  expect(files.filter(({ text }) => text.includes("join('\\n')"))).toEqual([])
  // A line that `logLines` has made printable, output and errors of the provider's own code, an error that ends the process, and a table that
  // waits for its reader.
  expect(past.sort()).toEqual([
    "dev/tariff-reviews.ts: console.error(timed('yellow', line",
    "payments/books.ts: stdout.write(text)) await once(process.stdout, 'drain')",
    'provider/process.ts: console.error(one',
    'provider/process.ts: console.log(line',
    'serve/serve.ts: console.error(provider.development ? err : crashLine(err',
  ])
})

describe.concurrent('what a stranger answers steers no terminal', () => {
  test('check: as text, in its report, and as JSON, where every value stays', async () => {
    const where = { cwd: folderWith(), patience: 90_000 }
    const line = `check ${await hostileEndpoint()} --read-only`
    const { stdout } = await purveyor(`${line} --junit report.xml`, where)
    const json = await purveyor(`${line} --json`, where)
    const report = readFileSync(join(where.cwd, 'report.xml'), 'utf8')
    for (const shown of [stdout, report, json.stdout]) {
      expect(shown).toContain('\\u202e')
      expect(shown).not.toMatch(steers)
    }
    const { results } = JSON.parse(json.stdout) as { results: { received?: string }[] }
    expect(results.some(({ received }) => received?.includes('\u202e'))).toBe(true)
  })

  test('simulate: scenarios and an order', async () => {
    const endpoint = await hostileEndpoint()
    const where = { cwd: folderWith(), patience: 90_000 }
    // Each that does not hold waits for what does not come.
    const some = 'paid start-answer-lost webhook-late asked-twice order-shipped'
    for (const words of [`run ${isLong ? '--all' : some}`, 'order --status paid']) {
      const { stdout, stderr } = await purveyor(`simulate ${words} --endpoint ${endpoint}`, where)
      expect(stdout.length).toBeGreaterThan(20)
      expect(stdout + stderr).not.toMatch(steers)
    }
  })

  test('what a platform answers: services, charges and errors', async () => {
    const shop = await openShop({}, atEnd)
    const { api } = shop
    const authorization = `Basic ${Buffer.from(`${api.key}:${api.secret}`).toString('base64')}`
    const post = (resource: string, body: object) =>
      postJson(`${api.baseUrl}/en/${resource}.json`, body, { authorization })
    const endpoint = await hostileEndpoint()
    const name = `Courier ${steering}`
    await post('external_services', { externalService: { type: 'payment', name, urlEndpoint: endpoint } })
    expect(shop.services).toHaveLength(1)
    const callbackUrl = 'http://127.0.0.1:9/back'
    const charge = { type: 'onetime', title: name, price: 9.95, callbackUrl }
    expect((await post('app_subscriptions', { appSubscription: charge })).status).toBe(201)

    const cwd = folderWith({ 'provider.ts': providerSource() })
    const run = commandsIn(cwd, { ...platformOf(api, 'en'), PURVEYOR_PUBLIC_URL: new URL(endpoint).origin })
    await run('shop add default')
    expect((await run('shop connect default')).err).toBe('')
    // Lines of its own are the user's own here.
    const typed = steering.replace('\n', '')
    for (const [line, ...more] of [
      ['services list default'],
      ['services remove default 1 --dry-run'],
      ['charges list default'],
      ['charges show default 1'],
      ['explain', typed],
      ['explain', `--no-such${typed}`],
    ] as const) {
      const { out, err } = await run(line, ...more)
      expect(out + err, line).not.toMatch(steers)
      expect(out + err, line).toContain('\\u202e')
    }
  })
})
