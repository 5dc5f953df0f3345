import { describe, expect, test } from 'vitest'
import { type ModeFacts, modeOf } from '../../src/provider/mode.ts'

const live = 'https://checkout.example.com'

describe('a provider is in production unless everything is on this machine', () => {
  test.each<[ModeFacts, boolean]>([
    [{}, true],
    [{ nodeEnv: 'test' }, true],
    [{ publicUrl: 'http://127.0.0.1:3000/checkout' }, true],
    [{ publicUrl: 'http://127.8.8.8' }, true],
    [{ publicUrl: 'http://LOCALHOST:3000' }, true],
    [{ publicUrl: 'http://localhost.:3000' }, true],
    [{ publicUrl: 'https://shop.localhost' }, true],
    [{ publicUrl: 'http://[::1]:3000' }, true],
    [{ publicUrl: 'http://[::ffff:127.0.0.1]' }, true],
    [{ development: true }, true],
    [{ publicUrl: live }, false],
    [{ publicUrl: live, nodeEnv: 'development' }, false],
    [{ publicUrl: 'http://checkout.example.com' }, false],
    [{ publicUrl: 'http://192.168.1.7:3000' }, false],
    [{ publicUrl: 'http://0.0.0.0:3000' }, false],
    [{ publicUrl: 'https://localhost.example.com' }, false],
    [{ publicUrl: 'https://127.0.0.1.example.com' }, false],
    [{ publicUrl: 'https://notlocalhost' }, false],
    [{ nodeEnv: 'production' }, false],
    [{ nodeEnv: 'production', publicUrl: 'http://localhost' }, false],
    [{ development: false }, false],
  ])('%j: development %s', (given, development) => {
    const mode = modeOf(given)
    expect(mode).toMatchObject({ development, because: expect.stringMatching(/ is /) })
    expect(mode.fault).toBeUndefined()
  })

  test.each<[ModeFacts, RegExp]>([
    [{ publicUrl: live }, /publicUrl is not an address of this machine.*remove publicUrl/],
    [{ publicUrl: live, nodeEnv: 'development' }, /publicUrl/],
    [{ nodeEnv: 'production' }, /NODE_ENV is production.*serve --development/],
    [{ publicUrl: live, nodeEnv: 'production' }, /NODE_ENV is production.*: remove it$/],
  ])('development: true beside %j is a fault', (given, words) => {
    expect(modeOf({ ...given, development: true }).fault).toMatch(words)
  })

  test('adapters for development stay in development, and in production behind a tunnel of this very address', () => {
    const stay = (given: ModeFacts) => modeOf(given).developmentAdapters
    expect(stay({})).toBe(true)
    expect(stay({ publicUrl: live })).toBe(false)
    expect(stay({ publicUrl: live, tunnelUrl: 'https://other.example.com' })).toBe(false)
    expect(stay({ nodeEnv: 'production' })).toBe(false)
    expect(stay({ publicUrl: live, tunnelUrl: live, nodeEnv: 'production' })).toBe(true)
  })
})
