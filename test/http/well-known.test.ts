import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider, memoryStore, type ProviderOptions } from '../../src/index.ts'
import { fileWith, folderWith } from '../folder.ts'
import { keptLog } from '../listening.ts'

const file = fileWith('apple', '<script>alert(1)</script>')
const folder = folderWith()
const missing = join(folder, 'missing')

const provider = (wellKnown: Record<string, string>, options: Partial<ProviderOptions> = {}) =>
  createProvider({
    ...{ store: memoryStore(), logger: pino({ level: 'silent' }), development: true, ...options },
    payments: { name: 'wallet', methods: () => [], start: () => ({ later: true }), wellKnown },
  })

test('a file that a wallet asks for is served at the root of the host, and never as a page', async () => {
  const one = provider({ 'apple-developer-merchantid-domain-association': file })
  const { url } = await one.listen({ port: 0 })
  onTestFinished(() => one.stop())
  const answer = await fetch(`${url}/.well-known/apple-developer-merchantid-domain-association`)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  for (const name of ['other', '..%2fapple', 'constructor', 'acme-challenge'])
    expect((await fetch(`${url}/.well-known/${name}`)).status).toBe(404)
})

test.each([
  [{ 'acme-challenge': file }, 'would prove to an authority'],
  [{ 'PKI-Validation': file }, 'would prove to an authority'],
  [{ 'acme-challenge/x': file }, 'must be a plain name'],
  [{ '../x': file }, 'must be a plain name'],
  [{ '': file }, 'must be a plain name'],
  [{ apple: missing }, `"apple" names ${missing}, which is not there: check the path`],
  [{ apple: folder }, `"apple" names ${folder}, which is a folder: name a file`],
  [{ apple: 'missing' }, `is not there: paths begin at ${process.cwd()}, the working directory`],
  [null, 'wellKnown of "wallet" must be an object'],
  [['apple'], 'wellKnown of "wallet" must be an object'],
])('%j is refused at the start', (wellKnown, words) => {
  expect(() => provider(wellKnown as unknown as Record<string, string>)).toThrow(words)
})

test('a provider that cannot serve the root of its host says so when it starts', async () => {
  const startedWith = async (wellKnown: Record<string, string>, publicUrl: string, mounted: boolean) => {
    const { lines, logger } = keptLog()
    const one = provider(wellKnown, { publicUrl, logger })
    await (mounted ? one.start() : one.listen({ port: 0 }))
    await one.stop()
    return lines.filter(({ msg }) => msg.includes('wellKnown files')).length
  }
  expect(await startedWith({ apple: file }, 'http://127.0.0.1:9', false)).toBe(0)
  expect(await startedWith({ apple: file }, 'http://127.0.0.1:9/shops', false)).toBe(1)
  expect(await startedWith({ apple: file }, 'http://127.0.0.1:9', true)).toBe(1)
  expect(await startedWith({}, 'http://127.0.0.1:9/shops', true)).toBe(0)
})
