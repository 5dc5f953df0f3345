import { execFile } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkProvider, conformanceCases, junitOf } from '../../src/conformance/index.ts'
import { openServer, serveOrigin } from '../serve-origin.ts'
import { checked, complaintsIn } from './checked.ts'
import { faultyProviders, starts } from './faulty-providers.ts'
import { type Change, plainProvider } from './plain-provider.ts'

const nothing = { status: 201, body: { payment_methods: [] } }
/** Answers the question for payment methods like this. */
const methodsAre =
  (status: number, body: unknown, headers = {}): Change =>
  () => ({ paymentMethods: () => ({ status, headers, body }) })
/** Whether the amount of an order is one of its currency. */
const hasDigits = ({ price_incl, currency }: { price_incl: unknown; currency: string }) =>
  currency !== 'jpy' || Number.isInteger(Number(price_incl))

describe('the cases as data', () => {
  test('there are at least eighty, each with a name of its own', () => {
    expect(conformanceCases.length).toBeGreaterThanOrEqual(80)
    expect(new Set(conformanceCases.map(({ name }) => name)).size).toBe(conformanceCases.length)
  })

  test('each says what holds, where it is written, what happens otherwise and what to do about it', () => {
    for (const { name, title, section, platform, remedy } of conformanceCases) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(title, name).toMatch(/^\S.{10,}[^.]$/)
      expect(section, name).toMatch(/^spec \d(\.\d)?$/)
      expect(platform, name).toMatch(/\.$/)
      expect(remedy, name).toMatch(/\.$/)
    }
  })
})

describe('a provider without a fault', () => {
  test('written by hand: no case complains', async () => {
    const report = await checked()
    expect(complaintsIn(report)).toEqual([])
    expect(report).toMatchObject({ about: ['rates', 'payments'], cases: conformanceCases.length, failed: 0 })
    // Its icons are names, and on this machine there is no TLS to look at; nothing else is left out.
    const skipped = report.results.flatMap(({ result, name }) => (result === 'skipped' ? [name] : []))
    expect(skipped.join()).toBe('payment-methods-icon-size,tls,tls-version,tls-certificate-lasts')
  })

  test.each([
    [{ country: 'de', currency: 'chf' }, 'de 10119 chf'],
    [{ country: 'jp', zipcode: '160-0022', currency: 'JPY' }, 'jp 160-0022 jpy'],
  ])('that serves one place and currency is tried there: %o', async (options, served) => {
    const only: Change = (parts) => ({
      shipmentMethods: (body) => {
        const { country, zipcode } = body.shipping_address
        const isServed = `${country} ${zipcode} ${body.shop.currency}` === served
        const [price_excl, price_incl] = body.shop.currency === 'jpy' ? [579, 701] : [5.79, 7.01]
        const method = { id: 'door', title: 'Door', price_incl, price_excl, tax_rate: 0.21 }
        return isServed ? { status: 201, body: { shipment_methods: [method] } } : parts.shipmentMethods(body)
      },
      paymentMethods: (body) =>
        body.shop.currency === options.currency.toLowerCase() ? parts.paymentMethods(body) : nothing,
      start: (body) =>
        body.order.currency === options.currency.toLowerCase() && hasDigits(body.order)
          ? parts.start(body)
          : { status: 422, body: {} },
    })
    const report = await checked(only, options)
    expect(complaintsIn(report)).toEqual([])
    expect(report).toMatchObject({ failed: 0, advice: 0, skipped: 4 })
  })

  test.each([
    [{ country: 'xx' }, /country xx is not a country/],
    [{ zipcode: '10115' }, /zipcode "10115" cannot be one of country nl/],
    [{ currency: 'eux' }, /currency eux is unknown: write a code such as eur/],
  ])('is not called for %o', async (options, message) => {
    let calls = 0
    const counted: Change = (parts) => ({ route: (path) => `${++calls && parts.route(path)}` })
    const refused = { code: 'ARGUMENT_INVALID', message: expect.stringMatching(message) }
    await expect(checked(counted, options)).rejects.toMatchObject(refused)
    expect(calls).toBe(0)
  })

  test('that needs to know the shop: it is named', async () => {
    const needsShop: Change = (parts) => ({
      refuse: (path, text, body) =>
        path === 'payment' || Number.isInteger(Number(body?.shop?.id ?? 'none'))
          ? parts.refuse(path, text, body)
          : { status: 422, body: {} },
    })
    const cases = ['shipment-methods-status', 'payment-methods-status', 'payment-start-status']
    expect(await checked(needsShop, { cases })).toMatchObject({ passed: 3, failed: 0 })
  })

  test('only reading leaves no orders', async () => {
    const started: unknown[] = []
    const noting = starts((body) => void started.push(body))
    const { failed, advice, skipped } = await checked(noting, { readOnly: true })
    expect([failed, advice, started]).toEqual([0, 0, []])
    expect(skipped).toBeGreaterThan(40)
  })

  test('of rates alone is asked for nothing else', async () => {
    const none = methodsAre(404, {})
    expect(await checked(none)).toMatchObject({ about: ['rates'], failed: 0, advice: 0 })
    const only = { only: 'payments', cases: ['payment-methods-status'] } as const
    expect(await checked(none, only)).toMatchObject({ about: ['payments'], failed: 1 })
  })
})

describe('nothing is said about what could not be looked at', () => {
  const reasonsOf = async (change: Change, cases: readonly string[]) => {
    const { results } = await checked(change, { cases })
    return results.map(({ result, reason }) => [result, reason])
  }
  const ofEach = ['title', 'id', 'ids-differ', 'price-incl', 'prices-agree', 'shape', 'flags']

  test('rules for every method are skipped for an empty list', async () => {
    const none: Change = () => ({ shipmentMethods: () => ({ status: 201, body: { shipment_methods: [] } }) })
    const cases = [...ofEach.map((name) => `shipment-methods-${name}`), 'estimate-title', 'estimate-agrees']
    const reasons = await reasonsOf(none, cases)
    expect(reasons).toEqual(reasons.map(() => ['skipped', 'The list of shipment_methods is empty']))
  })

  test('and where the answer is no list, which fails a case of its own', async () => {
    const cases = ['payment-methods-list', 'payment-methods-title', 'payment-start-status']
    const reason = 'payment_methods was answered with status 500 and no list of methods'
    expect(await reasonsOf(methodsAre(500, { error: 'no' }), cases)).toEqual([
      ['failed', undefined],
      ['skipped', reason],
      ['skipped', `${reason}, so no payment can be started`],
    ])
  })

  test.for<[string, Change, string]>([
    ['404', methodsAre(404, {}), 'status 404 to payment_methods, so it does not serve them'],
    ['HTML', methodsAre(200, '<!doctype html><h1>Welcome</h1>'), 'payment_methods with an HTML page'],
    [
      'a redirect',
      methodsAre(302, '', { location: '/' }),
      'payment_methods with a redirect, which no platform follows',
    ],
  ])('a service that is answered with %s is skipped with that reason', async ([_what, change, reason]) => {
    const skipped = ['skipped', `The endpoint answers ${reason}`]
    const reasons = await reasonsOf(change, ['payment-methods-title', 'payment-start-status'])
    expect(reasons).toEqual([skipped, skipped])
  })

  test('a service that cannot be asked ends the check, unless the other one is asked for alone', async () => {
    const silent: Change = () => ({ paymentMethods: () => new Promise(() => {}) })
    await expect(checked(silent, { timeout: 1_000 })).rejects.toThrow(
      / answers shipment_methods, and cannot be asked for payment_methods: no answer within 1 s. To check the rest: --only rates$/,
    )
    const cases = ['shipment-methods-status', 'payment-methods-status']
    expect(await checked(silent, { timeout: 1_000, only: 'rates', cases })).toMatchObject({
      about: ['rates'],
      results: [{ result: 'passed' }, { result: 'skipped', reason: '--only rates was asked for' }],
    })
  })

  test('--only of a page that is no provider ends the check', async () => {
    const checking = checked(methodsAre(200, '<!doctype html><p>'), { only: 'payments' })
    await expect(checking).rejects.toThrow(/answers with an HTML page/)
  })

  test('the plan names what the chosen cases are about, and whether they start payments', async () => {
    const plans: unknown[] = []
    const onStart = (plan: unknown) => void plans.push(plan)
    for (const cases of [['payment-methods-title'], ['payment-start-status'], ['tls']])
      await checked(undefined, { cases, onStart })
    await checked(undefined, { cases: ['payment-start-status'], readOnly: true, onStart })
    expect(plans).toEqual([
      { about: ['payments'], cases: 1, startsPayments: false },
      { about: ['payments'], cases: 1, startsPayments: true },
      { about: ['rates', 'payments'], cases: 1, startsPayments: false },
      { about: ['payments'], cases: 1, startsPayments: false },
    ])
  })
})

describe.concurrent('sixty faulty providers and more, each caught by the case that names it', () => {
  test('there are at least sixty, and every case they name exists', () => {
    expect(faultyProviders.length).toBeGreaterThanOrEqual(60)
    const names = new Set(conformanceCases.map(({ name }) => name))
    expect(faultyProviders.filter((one) => !names.has(one.case))).toEqual([])
  })

  test.each(faultyProviders.map((one) => [one.fault, one] as const))('%s', async (_fault, faulty) => {
    const { results } = await checked(faulty.change, { cases: [faulty.case] })
    const said = expect.any(String)
    const result = expect.stringMatching(/^(failed|advice)$/)
    expect(results).toMatchObject([
      { name: faulty.case, result, expected: said, received: said, remedy: said },
    ])
  })
})

describe('what is no provider is said in a sentence', () => {
  test.each<[string, RequestListener, RegExp, timeout?: number]>([
    ['HTML', (_req, res) => res.end('<!doctype html><h1>Welcome</h1>'), /answers with an HTML page/],
    ['404', (_req, res) => res.writeHead(404).end(), /answers status 404 .* without these words at its end/],
    [
      'redirects for ever',
      (req, res) => res.writeHead(302, { location: `${req.url}x` }).end(),
      /redirects to .*\. A platform follows no redirect/,
    ],
    ['nothing', () => {}, /cannot be called: no answer within 0.3 s/, 300],
    [
      'half an answer',
      (_req, res) => void res.writeHead(200, { 'content-length': 99 }).write('{'),
      /no answer within|broke off/,
      300,
    ],
    ['a broken connection', (_req, res) => void res.socket?.destroy(), /called: the connection broke off/],
  ])('%s', async (_what, handler, says, timeout = 60_000) => {
    const origin = await serveOrigin(handler)
    const error = (await checkProvider(`${origin}/e/token`, { timeout }).catch((one) => one)) as Error
    expect(error).toMatchObject({ code: 'ENDPOINT_UNUSABLE' })
    expect(error.message).toMatch(says)
    expect(error.message).not.toMatch(/\n/)
  })

  test.each([[{}], [undefined], [7]])('%j for an address', async (given) => {
    await expect(checkProvider(given as never)).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message:
        'checkProvider() takes the urlEndpoint of a provider as text, such as https://provider.example/e/token',
    })
  })

  test('http where https was said, and the other way around', async () => {
    const origin = await serveOrigin((_req, res) => res.end('{}'))
    await expect(checkProvider(origin.replace('http:', 'https:'))).rejects.toThrow(/does not speak TLS/)
    const ssh = await openServer(createServer((socket) => socket.end('SSH-2.0-x\r\n')))
    await expect(checkProvider(ssh.origin)).rejects.toThrow(/does not speak HTTP|broke off/)
  })

  test.each(['nowhere', 'ftp://provider.example/', ''])('%j is no address', async (endpoint) => {
    await expect(checkProvider(endpoint)).rejects.toThrow(/is not an http or https address/)
  })

  test('a case that there is not', async () => {
    const checking = checkProvider('http://127.0.0.1:1/', { cases: ['nothing'] })
    await expect(checking).rejects.toThrow('no case "nothing"')
  })
})

describe('a report', () => {
  test('names the place, the reason and a line for the shell that shows it, without the token', async () => {
    const cases = ['shipment-methods-tax-rate', 'shipment-methods-status']
    const { endpoint, close } = await plainProvider(
      faultyProviders.find((one) => one.case === cases[0])!.change,
    )
    onTestFinished(close)
    const report = await checkProvider(endpoint, { cases })
    expect(report.endpoint).not.toContain(endpoint.slice(-20))
    const [, wrong] = report.results.sort((one, other) => one.result.localeCompare(other.result)).reverse()
    expect(wrong).toMatchObject({
      result: 'failed',
      section: 'spec 2.5',
      expected: 'a fraction from 0 to 1',
      received: 'shipment_methods[0].tax_rate 21',
    })
    const { stdout } = await promisify(execFile)('sh', ['-c', wrong!.curl!.replace('curl', 'curl -s')])
    expect(stdout).toContain('"tax_rate":21')

    const xml = junitOf(report)
    expect(xml).toMatch(/<testsuite name="[^"]+" tests="2" failures="1" skipped="0">/)
    expect(xml).toContain(
      '<failure message="expected a fraction from 0 to 1, received shipment_methods[0].tax_rate 21">',
    )
    expect(xml).not.toMatch(/<failure[^>]*<|&(?!amp;|lt;|quot;)/)
  })

  test('that is interrupted holds what was tried', async () => {
    const stop = new AbortController()
    let seen = 0
    const onResult = () => void (++seen === 5 && stop.abort())
    const report = await checked(undefined, { signal: stop.signal, onResult })
    expect(report).toMatchObject({ cases: 5, passed: 5 })
  })
})
