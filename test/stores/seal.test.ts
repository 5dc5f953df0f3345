import { hash } from 'node:crypto'
import { FlattenedEncrypt, flattenedDecrypt } from 'jose'
import { describe, expect, test } from 'vitest'
import { developmentSecret, type SealedRow } from '../../src/shops/seal.ts'
import { seal } from '../../src/stores/seal.ts'
import { stretchedKey } from './stretched-key.ts'

const [one, other] = ['the first secret of these tests 123', 'the other secret of these tests 123']
const row: SealedRow = { kind: 'shop', key: 'bikes' }
const texts = ['', 'x', 'tokens and ünïcode €', 'long '.repeat(20_000)]

describe('seal', () => {
  test.each(texts)('what was closed opens again: %#', (text) => {
    const { open, close } = seal(one)
    expect(close(text, row)).not.toBe(close(text, row))
    expect(open(close(text, row), row)).toBe(text)
  })

  test('it is the JWE that jose writes and reads, with the row as its additional data', async () => {
    const [header = '', , iv = '', ciphertext = '', tag = ''] = seal(one).close('a token', row).split('.')
    const aad = new TextEncoder().encode('shop:bikes')
    const jwe = { protected: header, iv, ciphertext, tag, aad: Buffer.from(aad).toString('base64url') }
    const { plaintext, protectedHeader } = await flattenedDecrypt(jwe, stretchedKey(one).key)
    expect(new TextDecoder().decode(plaintext)).toBe('a token')
    const theirs = await new FlattenedEncrypt(new TextEncoder().encode('theirs'))
      .setProtectedHeader(protectedHeader!)
      .setAdditionalAuthenticatedData(aad)
      .encrypt(stretchedKey(one).key)
    const text = `${theirs.protected}..${theirs.iv}.${theirs.ciphertext}.${theirs.tag}`
    expect(seal(one).open(text, row)).toBe('theirs')
  })

  test('what was changed, cut or made up does not open', () => {
    const { open, close } = seal(one)
    const sealed = close('a token', row)
    const parts = sealed.split('.')
    const flipped = [0, 2, 3, 4].map((part) => {
      const [first = '', rest = ''] = [parts[part]![0], parts[part]!.slice(1)]
      return parts.with(part, `${first === 'A' ? 'B' : 'A'}${rest}`).join('.')
    })
    const cut = [sealed.slice(0, -4), parts.slice(0, 4).join('.'), parts.with(4, '').join('.')]
    for (const wrong of [...flipped, ...cut, `${sealed}.`, '', 'x', 'a.b.c.d.e'])
      expect(() => open(wrong, row)).toThrow(/PURVEYOR_SECRET|was changed.*Restore it from a backup/)
  })

  test('it opens in its own row and in no other', () => {
    const { open, close } = seal(one)
    const sealed = close('the settings of bikes', row)
    for (const other of [{ key: 'cars' }, { key: '' }, { kind: 'key' }, { kind: 'endpoint' }] as const)
      expect(() => open(sealed, { ...row, ...other })).toThrow(/is in the wrong row/)
    const moved = () => open(sealed, { kind: 'endpoint', key: 'a hash' })
    expect(moved).toThrow(/of an endpoint of shop a hash was changed/)
  })

  test('the previous secret opens and does not close', () => {
    const old = seal(one).close('a token', row)
    const both = seal(other, one)
    expect(both.open(old, row)).toBe('a token')
    const isCurrent = (sealed: string) => sealed.startsWith(both.beginning())
    expect([isCurrent(old), isCurrent(both.close('x', row))]).toEqual([false, true])
    expect(() => seal(other).open(old, row)).toThrow(/PURVEYOR_PREVIOUS_SECRET/)
  })

  test('development without a secret and a store with one say what they are, in both directions', () => {
    const development = seal(developmentSecret)
    expect(() => seal(one).open(development.close('x', row), row)).toThrow(
      /created in development without PURVEYOR_SECRET.*PURVEYOR_DATABASE_URL/,
    )
    expect(() => development.open(seal(one).close('x', row), row)).toThrow(
      /created with a PURVEYOR_SECRET, and this is development without one.*PURVEYOR_DATABASE_URL/,
    )
  })

  test('each guess at a secret costs a stretch: nothing of the text says what the secret is any sooner', () => {
    const sealed = seal(one).close('a token', row)
    const { kid } = JSON.parse(Buffer.from(sealed.split('.')[0]!, 'base64url').toString())
    expect(kid).toBe(stretchedKey(one).id)
    const quick = ['sha256', 'sha512'].map((name) => hash(name, one, 'base64url'))
    for (const guess of quick) expect(guess.startsWith(kid)).toBe(false)
    // Everybody knows the secret of development.
    expect(() => seal(one).open(seal(developmentSecret).close('x', row), row)).toThrow(/PURVEYOR_SECRET/)
  })
})
