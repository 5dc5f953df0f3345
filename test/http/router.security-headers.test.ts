import { createServer } from 'node:http'
import express from 'express'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { lastingStore, production } from '../production-store.ts'
import { openServer } from '../serve-origin.ts'

const paths = ['/e/unknown/payment/1', '/p/unknown', '/health/live', '/metrics', '/nowhere', '/e/%']

async function portOf(development: boolean, mounted: boolean): Promise<number> {
  const provider = createProvider({
    store: lastingStore(),
    port: 0,
    logger: pino({ level: 'silent' }),
    rates: { name: 'table', quote: () => [] },
    payments: { name: 'psp', methods: () => [], start: () => ({ later: true }) },
    ...(!development && production),
  })
  onTestFinished(() => provider.stop())
  if (!mounted) return (await provider.listen({ host: '127.0.0.1' })).port
  await provider.start()
  const app = express()
    .use('/checkout', provider.router)
    .get('/own', (_req, res) => void res.send('of the app'))
  return (await openServer(createServer(app))).port
}

/** Of the connection, and not of ours. */
const ofNode = ['connection', 'keep-alive', 'date']

test('an answer to a platform has the headers that a machine needs, and others have those of documents too', async () => {
  const port = await portOf(false, false)
  const namesAt = async (path: string) => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    return [...headers.keys()].filter((name) => !ofNode.includes(name)).toSorted()
  }
  const machines = ['cache-control', 'content-length', 'content-type', 'strict-transport-security']
  for (const path of ['/e/unknown/payment/1', '/e/%'])
    expect(await namesAt(path)).toEqual([...machines, 'x-content-type-options', 'x-request-id'])
  const documents = ['content-security-policy', 'cross-origin-opener-policy', 'referrer-policy']
  const all = [...machines, ...documents, 'x-content-type-options', 'x-frame-options']
  for (const path of ['/p/unknown', '/health/live', '/metrics', '/nowhere'])
    expect(await namesAt(path), path).toEqual(expect.arrayContaining(all))
})

describe('Strict-Transport-Security', () => {
  test.each([
    ['production, in its own server', false, false, 'max-age=31536000'],
    ['production, mounted in an app', false, true, null],
    ['development', true, false, null],
  ] as const)('%s', async (_name, development, mounted, expected) => {
    const port = await portOf(development, mounted)
    const ofApp = mounted ? ['/own', ...paths.map((one) => `/checkout${one}`)] : paths
    for (const path of ofApp) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      await answer.text()
      expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, expected])
      if (path !== '/own') expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})
