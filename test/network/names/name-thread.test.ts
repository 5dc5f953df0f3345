import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { NameThread } from '../../../src/network/names/name-thread.ts'
import { openNameServer } from '../name-server.ts'

const addresses = Array.from({ length: 4_000 }, (_, n) => `93.184.${n >> 8}.${n & 255}`)

const names = async () => {
  const server = await openNameServer((name) => {
    if (name === 'missing.example') return 'not_found'
    return { addresses: name === 'large.example' ? addresses : addresses.slice(0, 2), ttl: 60 }
  })
  onTestFinished(() => server.close())
  return server.address
}

test('an answer of 4,000 addresses comes back as the few that are looked at', async () => {
  const ask = new NameThread([await names()]).ask('receivers')
  expect(await ask('large.example', 4)).toHaveLength(257)
  expect(await ask('two.example', 4)).toEqual([
    { address: '93.184.0.0', ttl: 60 },
    { address: '93.184.0.1', ttl: 60 },
  ])
  await expect(ask('missing.example', 4)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('where the thread cannot start, names are found without it', async () => {
  const ask = new NameThread([await names()], new URL('./no-such-file.ts', import.meta.url)).ask('payments')
  expect(await ask('two.example', 4)).toHaveLength(2)
  expect(await ask('two.example', 4)).toHaveLength(2)
})

test('a thread that could not start is tried again later, and later still', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-thread-'))
  const file = pathToFileURL(join(folder, 'thread.mjs'))
  let now = 0
  const ask = new NameThread([await names()], file, () => now).ask('payments')
  const found = async () => (await ask('large.example', 4)).length
  // This thread asks: it gets all of the answer.
  expect(await found()).toBe(4_000)
  const whole = new URL('../../../src/network/names/read-answers.ts', import.meta.url)
  writeFileSync(file, `import ${JSON.stringify(whole.href)}`)
  now = 4_999
  expect(await found()).toBe(4_000)
  now = 5_000
  expect(await found()).toBe(257)
})

test('a process that waits for a name stays until it is found, and ends by itself', async () => {
  const thread = new URL('../../../src/network/names/name-thread.ts', import.meta.url).href
  const script = `
    const { NameThread } = await import(${JSON.stringify(thread)})
    const ask = new NameThread([${JSON.stringify(await names())}]).ask('rates')
    console.log((await ask('two.example', 4)).length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('2\n')
})
