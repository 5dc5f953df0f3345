import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { createProvider, memoryStore } from '../../src/index.ts'
import { signatureHeaders, webhookId, webhookSecret } from '../../src/shops/seal.ts'

const random = (byte: number) => Buffer.alloc(32, byte).toString('base64url')

test('the known example of Standard Webhooks comes out', () => {
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
  expect(signatureHeaders(id, 1_614_265_330_999, '{"test": 2432232314}', secrets)).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a secret has 32 bytes in base64', () => {
  expect(webhookSecret(random(255))).toBe(`whsec_${Buffer.alloc(32, 255).toString('base64')}`)
})

test('an id is another one for another sender, shop, order or version, however they are written', () => {
  const ids = [
    webhookId('https://a.example', 'one', '1', 1),
    webhookId('https://b.example', 'one', '1', 1),
    webhookId('https://a.example', 'two', '1', 1),
    webhookId('https://a.example', 'one', '11', 1),
    webhookId('https://a.example', 'one', '1', 11),
    webhookId('https://a.example', 'one1', '', 1),
  ]
  expect(new Set(ids).size).toBe(ids.length)
  expect(webhookId('https://a.example', 'one', '1', 1)).toBe(ids[0])
  for (const id of ids) expect(id).toMatch(/^msg_[\w-]{32}$/)
})

test('the lines of the documentation verify what is signed, and nothing else', async () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /```ts\n([^`]*?webhook-signature[\s\S]*?)```/.exec(page) ?? []
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(code))}`)
  const [secret, older] = [webhookSecret(random(1)), webhookSecret(random(2))]
  const body = '{"order_id":1001}'
  const now = Date.now()
  const headers = signatureHeaders('msg_1', now, body, [secret, older])
  expect([isGenuine(headers, body, secret), isGenuine(headers, body, older)]).toEqual([true, true])
  expect(isGenuine(headers, body, webhookSecret(random(3)))).toBe(false)
  expect(isGenuine(headers, '{"order_id":1002}', secret)).toBe(false)
  for (const name of Object.keys(headers)) {
    for (const wrong of ['x', '', `v1,${'A'.repeat(44)}`, `v1,${'é'.repeat(44)}`])
      expect(isGenuine({ ...headers, [name]: wrong }, body, secret), name).toBe(false)
    expect(isGenuine({ ...headers, [name]: undefined }, body, secret), name).toBe(false)
  }
  expect(isGenuine(signatureHeaders('msg_1', now - 301_000, body, [secret]), body, secret)).toBe(false)
  expect(isGenuine(signatureHeaders('msg_1', now + 302_000, body, [secret]), body, secret)).toBe(false)
})

test.each<[object, string]>([
  [{ signWebhook: true }, 'payments.signWebhook is not an option: did you mean signWebhooks?'],
  [{ signWebhooks: 'yes' }, 'payments.signWebhooks must be true or false'],
])('%j is refused at the start', (options, why) => {
  const adapters = { name: 'psp', methods: () => [], start: () => ({ later: true as const }) }
  const made = () => createProvider({ store: memoryStore(), payments: { adapters, ...options } })
  expect(made).toThrow(why)
})
