import { beforeAll, describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { checkout, payment } from '../../http/messages.ts'
import { paymentUrl, postForm, postJson } from '../../http/post.ts'
import { end, repository } from '../../journey/project.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { commandsIn, folderWith, production, running, serving } from '../command.ts'

// A first production start: template `full`, a public address, a real secret, `npm start`, and no NODE_ENV.

const template = `${repository}templates/full/provider.ts`
const { PURVEYOR_PUBLIC_URL: _, ...development } = production

describe('template full, started without NODE_ENV at a public address', () => {
  const cwd = folderWith()
  let at = ''
  let endpoint = ''
  /** A payment page that was opened in development, over the same store. */
  let oldPage = ''
  let services: unknown
  let log: { stderr: string }
  let called = 0
  let webhook_url = ''
  const order = (id: number) => ({ ...payment({ id, price_incl: '999.00', method: 'test' }), webhook_url })

  beforeAll(async () => {
    webhook_url = await serveOrigin((_req, res) => {
      called++
      res.end()
    }, atEnd)
    const before = serving(cwd, development, '--provider', template)
    const path = new URL((await before.ready).endpoint).pathname
    oldPage = new URL(await paymentUrl((await before.ready).endpoint, order(1))).pathname
    await end(before.child)

    const { ready, output } = running(`serve --provider ${template} --json`, { cwd, env: production })
    const started = await ready
    at = `http://127.0.0.1:${started.port}`
    endpoint = `${at}${path}`
    services = started.services
    log = output
  })

  test('offers its rates, and neither lists nor starts the test payment', async () => {
    expect((await postJson(`${endpoint}/shipment_methods`, checkout)).status).toBe(201)
    expect(services).toEqual(['rates'])
    expect((await postJson(`${endpoint}/payment_methods`, checkout)).status).toBe(404)
    expect((await postJson(`${endpoint}/payment`, order(2))).status).toBe(404)
  })

  test('says once which adapter it leaves out, and what to do', () => {
    const lines = log.stderr.split('\n').filter((line) => line.includes('developmentOnly'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, adapter: 'test' })
  })

  test('counts no click as money, not even on a page that was opened in development', async () => {
    await postForm(`${at}${oldPage}`, { outcome: 'paid' })
    expect(await commandsIn(cwd, production).json('payments list')).toMatchObject([{ status: 'pending' }])
    expect(called).toBe(0)
  })

  test('shows strangers no numbers, and browsers are held to https', async () => {
    expect((await fetch(`${at}/metrics`)).status).toBe(404)
    const health = await fetch(`${at}/health/ready`)
    expect(Object.keys((await health.json()) as object)).toEqual(['status', 'store'])
    expect(health.headers.get('strict-transport-security')).toContain('max-age')
  })
})
