import { hash } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { describe, expect, test } from 'vitest'
import { seal } from '../../src/stores/seal.ts'

const [one, other] = ['the first secret of these tests 123', 'the other secret of these tests 123']
const keyOf = (secret: string) => hash('sha256', `purveyor seal ${secret}`, 'buffer')

describe('seal', () => {
  test.each(['', 'x', 'tokens and ünïcode €', 'long '.repeat(20_000)])(
    'what was closed opens again: %#',
    (text) => {
      const { open, close } = seal(one)
      expect(close(text)).not.toBe(close(text))
      expect(open(close(text))).toBe(text)
    },
  )

  test('it is the JWE that jose writes and reads', async () => {
    const { plaintext, protectedHeader } = await compactDecrypt(seal(one).close('a token'), keyOf(one))
    expect(new TextDecoder().decode(plaintext)).toBe('a token')
    const theirs = await new CompactEncrypt(new TextEncoder().encode('theirs'))
      .setProtectedHeader(protectedHeader)
      .encrypt(keyOf(one))
    expect(seal(one).open(theirs)).toBe('theirs')
  })

  test('what was changed, cut or made up does not open', () => {
    const { open, close } = seal(one)
    const sealed = close('a token')
    const parts = sealed.split('.')
    const flipped = (part: number) =>
      parts
        .map((text, at) => (at === part ? `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}` : text))
        .join('.')
    for (const wrong of [
      flipped(0),
      flipped(2),
      flipped(3),
      flipped(4),
      sealed.slice(0, -4),
      `${sealed}.`,
      parts.slice(0, 4).join('.'),
      '',
      'x',
      'a.b.c.d.e',
      `${parts[0]}..${parts[2]}.${parts[3]}.`,
    ]) {
      expect(() => open(wrong)).toThrow(/PURVEYOR_SECRET/)
    }
  })

  test('the previous secret opens and does not close', () => {
    const old = seal(one).close('a token')
    const both = seal(other, one)
    expect(both.open(old)).toBe('a token')
    expect([both.isCurrent(old), both.isCurrent(both.close('x'))]).toEqual([false, true])
    expect(() => seal(other).open(old)).toThrow(/PURVEYOR_PREVIOUS_SECRET/)
  })
})
