import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { payment } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { keptLog, listening } from '../../listening.ts'
import { openServer } from '../../serve-origin.ts'
import { servedNames } from '../served-names.ts'

const open = async (answer: string) =>
  (await openServer(createServer((_req, res) => void res.end(answer)))).port

test('the starts of all other shops succeed while the name server of 300 shops is silent', async () => {
  const names = await servedNames((name) =>
    name.startsWith('silent') ? 'silent' : { addresses: ['127.0.0.1'] },
  )
  const psp = await open('{}')
  const { lines, logger } = keptLog()
  const { provider } = await listening({
    logger,
    payments: {
      name: 'psp',
      methods: () => [],
      async start(attempt, { fetch, shop }) {
        const host = shop.id.startsWith('bad') ? `silent-${shop.id}.example` : 'psp.example'
        await fetch(`http://${host}:${psp}/sessions`)
        return { redirect: `http://127.0.0.1:${psp}/${attempt.id}`, reference: attempt.id }
      },
    },
    network: { nameServers: [names.address] },
  })
  const endpoints = new Map<string, string>()
  const start = async (shop: string, id: number) => {
    const webhook_url = `http://silent-hook-${shop}.example/hook`
    const body = { ...payment({ id, method: 'psp:card' }), webhook_url }
    return (await postJson(`${endpoints.get(shop)}/payment`, body)).status
  }
  for (const shop of [...Array.from({ length: 300 }, (_, one) => `bad${one}`), 'good'])
    endpoints.set(shop, (await provider.shops.add(shop)).endpoint)

  const bad = Array.from({ length: 300 }, (_, shop) => start(`bad${shop}`, 1))
  const good = await Promise.all(Array.from({ length: 50 }, (_, order) => start('good', order + 1)))
  expect(new Set(good)).toEqual(new Set([201]))
  expect(new Set(await Promise.all(bad))).toEqual(new Set([502]))
  expect(await start('good', 100)).toBe(201)
  const text = await provider.metrics()
  expect(text).toMatch(/purveyor_name_lookups_total\{kind="payments",outcome="failed"\} 300/)
  expect(text).toMatch(/purveyor_refused_total\{code="NAME_SERVER_FAILED"\} 300/)
  const line = lines.find(({ shop, code }) => shop === 'bad7' && code === 'NAME_SERVER_FAILED')
  expect(line).toMatchObject({ host: 'silent-bad7.example', caller: 'psp' })
})
