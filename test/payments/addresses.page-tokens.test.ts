import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPageToken, PageTokens } from '../../src/payments/addresses.ts'
import { hashToken } from '../../src/shops/seal.ts'

const openedAt = Date.UTC(2026, 0, 1)

function tokensWith(key: Buffer) {
  const tokens = new PageTokens()
  tokens.setKey(key.toString('base64url'))
  return tokens
}

test('a token is the moment and the HMAC of the attempt, under keys of any length up to a block', () => {
  for (const length of [1, 32, 63, 64]) {
    const key = randomBytes(length)
    const tokens = tokensWith(key)
    for (const id of ['default.1', 'x', 'ünïcode €', 'long '.repeat(100)]) {
      const hmac = createHmac('sha256', key).update(id).digest('base64url')
      expect(tokens.of({ id, openedAt })).toBe(`${openedAt.toString(36)}${hmac}`)
    }
  }
})

test('its hash keeps the moment in front, and nothing else of it', () => {
  const tokens = tokensWith(randomBytes(32))
  const attempt = { id: 'default.1', openedAt }
  const token = tokens.of(attempt)
  expect(tokens.hashOf(attempt)).toBe(`${openedAt.toString(36)}${hashToken(token)}`)
  const later = tokens.hashOf({ id: 'default.2', openedAt: openedAt + 1 })
  expect(tokens.hashOf(attempt) < later).toBe(true)
  expect(hashPageToken('')).toBe(hashToken(''))
})

test('before the store is open there are none', () => {
  expect(() => new PageTokens().of({ id: 'default.1', openedAt })).toThrow(/start the provider first/)
})
