import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { useOriginForm } from '../../src/http/router.ts'
import { listening } from '../listening.ts'
import { production } from '../production-store.ts'

test.each([
  ['/p/a?b#c', '/p/a?b#c'],
  ['//x/p', '//x/p'],
  ['*', '*'],
  ['https://provider.example/e/a/payment?b=c', '/e/a/payment?b=c'],
  ['http://provider.example', '/'],
  ['http://provider.example/a/../p/%2e', '/p/'],
  ['http://[::1/p/a', '/'],
  ['http://a:999999/p/a', '/'],
  ['rtsp://x', '/'],
])('%s is %s', (url, path) => {
  const req = new IncomingMessage(new Socket())
  req.url = url
  useOriginForm(req)
  expect(req.url).toBe(path)
})

test('a request may name its address in full, and an invalid one is an unknown page that Node does not print', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error) => warnings.push(warning)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const { port, endpoint } = await listening({ ...production, rates: { name: 'a', quote: () => [] } })
  const ask = async (url: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    return (await text(socket)).split(' ')[1]
  }
  expect(await ask('http://provider.example/health/live')).toBe('200')
  expect(await ask(`${endpoint}/shipment_methods`)).toBe('405')
  expect(await ask('http://provider.example:999999/p/a-token')).toBe('404')
  expect(warnings).toEqual([])
})
