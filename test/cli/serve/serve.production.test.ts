import { describe, expect, test } from 'vitest'
import { developmentSecret } from '../../../src/shops/seal.ts'
import { commandsIn, folderWith, production, providerSource } from '../command.ts'

describe.concurrent('serve in production', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['no public address', { PURVEYOR_PUBLIC_URL: '' }, /PURVEYOR_PUBLIC_URL\) is required/],
    ['http', { PURVEYOR_PUBLIC_URL: 'http://pay.example' }, /PURVEYOR_PUBLIC_URL\) must be an https address/],
    ['no secret', { PURVEYOR_SECRET: '' }, /PURVEYOR_SECRET\) is required in production/],
    ['a short secret', { PURVEYOR_SECRET: 'too short' }, /at least 32/],
    ['the secret of development', { PURVEYOR_SECRET: developmentSecret }, /can be guessed/],
    ['a secret of one letter', { PURVEYOR_SECRET: 'x'.repeat(40) }, /can be guessed/],
    ['open loopback', { PURVEYOR_ALLOW_LOOPBACK: '1' }, /PURVEYOR_ALLOW_LOOPBACK\) .* for development only/],
    ['proxies that are none', { PURVEYOR_TRUST_PROXY: 'nginx' }, /PURVEYOR_TRUST_PROXY/],
    ['a store in memory', { PURVEYOR_DATABASE_URL: 'sqlite::memory:' }, /keeps nothing/],
    ['too short a retention', { PURVEYOR_RETENTION_DAYS: '3' }, /30 days or more/],
  ])('%s: one sentence with its remedy, and exit code 3', async (_what, env, message) => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { code, out, err } = await commandsIn(cwd, { ...production, ...env })('serve')
    expect([code, out]).toEqual([3, ''])
    expect(err).toMatch(message)
    expect(err.match(/^ {2}- /gm)).toHaveLength(1)
    expect(err).not.toMatch(/ {4}at /)
  })
})
