import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv } from '../../journey/project.ts'
import { sized } from '../../long.ts'
import { contentOf, withSide } from '../../stores/copying.ts'
import { makeFilledStore, secret } from '../../stores/filled-store.ts'
import { folderWith, main, providerSource, purveyor, saying } from '../command.ts'

const node = process.execPath

/** A folder with a provider and a store of its secret, and what runs commands there. */
async function withStore(payments = 20) {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  await makeFilledStore(join(cwd, 'old.db'), payments)
  const env = { PURVEYOR_SECRET: secret, OLD_URL: 'sqlite:old.db', NEW_URL: 'sqlite:new.db' }
  const run = (...args: string[]) => purveyor(args, { cwd, env })
  return { cwd, env, run }
}

test('a store is copied, nobody serves the old one, and it is released again', {
  timeout: 120_000,
}, async () => {
  const { cwd, env, run } = await withStore()
  const copied = await run('db', 'copy', '--from', 'sqlite:old.db', '--to', 'NEW_URL')
  expect(copied).toMatchObject({ code: 0 })
  expect(copied.stdout).toMatch(/table +rows\n/)
  expect(copied.stdout).toMatch(
    /payments +20\n[\s\S]*copied to sqlite:\S+new\.db in \d+\.\d s\. Both are equal\.\n/,
  )
  const again = await run('db', 'copy', '--from', 'OLD_URL', '--to', 'NEW_URL')
  expect(again).toMatchObject({ code: 2 })
  expect(again.stderr).toContain('was moved to sqlite:')

  const serve = (url: string) =>
    purveyor(['serve', '--development', '--port', '0'], { cwd, env: { ...env, PURVEYOR_DATABASE_URL: url } })
  const refused = await serve('sqlite:old.db')
  expect(refused).toMatchObject({ code: 3 })
  expect(refused.stderr).toMatch(/was moved to sqlite:\S+new\.db at .*Set PURVEYOR_DATABASE_URL to that one/)
  expect(refused.stderr).toContain('purveyor explain STORE_MOVED')
  const old = { cwd, env: { ...env, PURVEYOR_DATABASE_URL: 'sqlite:old.db' } }
  expect((await purveyor(['payments', 'list', '--json'], old)).code).toBe(0)
  const { results } = JSON.parse((await purveyor(['doctor', '--json'], old)).stdout) as {
    results: Record<'name' | 'verdict' | 'says', string>[]
  }
  expect(results.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    { name: 'store', says: expect.stringMatching(/^The store was moved to/) },
  ])
  // What is due or needs review is so in the new store, and no remedy can be carried out in the old one.
  const left = [
    'store writes',
    'sealed texts',
    'endpoint',
    'nodes',
    'due webhooks',
    'dead letters',
    'anomalies',
  ]
  for (const name of left)
    expect(results.find((one) => one.name === name)).toMatchObject({
      verdict: 'skipped',
      says: 'No provider may serve this store: see the check `store`',
    })
  const write = await purveyor(
    ['payments', 'report', 'order-4', 'paid', '--amount', '4', '--currency', 'eur'],
    old,
  )
  expect(write.code).not.toBe(0)

  expect(await run('db', 'release', '--from', 'OLD_URL')).toMatchObject({ code: 2 })
  expect(await run('db', 'release', '--from', 'OLD_URL', '--to', 'NEW_URL')).toMatchObject({ code: 2 })
  const released = await run('db', 'release', '--from', 'OLD_URL', '--to', 'NEW_URL', '--yes')
  expect(released.stdout).toMatch(/^Providers start on sqlite:\S+old\.db again\.\n.*new\.db is given up/)
  const given = await serve('sqlite:new.db')
  expect(given.stderr).toContain('is a copy that was given up')
})

test('an address with a password is no argument, and every other mistake has its remedy', {
  timeout: 60_000,
}, async () => {
  const { cwd, run } = await withStore(1)
  const copy = (from: string, to: string) => run('db', 'copy', '--from', from, '--to', to)
  const says = /--to takes sqlite: and a path, or the name of .* such as --to NEW_DATABASE_URL/
  for (const to of ['me:swordfish@db/p', 'me@db/p?password=swordfish', 'me:sword%@fish@db/p']) {
    const refused = await copy('OLD_URL', `postgres://${to}`)
    expect(refused).toMatchObject(saying(2, says))
    expect(refused.stderr).not.toMatch(/swordfish|sword%/)
  }
  const nobody = 'postgres://me:swordfish@127.0.0.1:1/shop?password=swordfish'
  writeFileSync(join(cwd, '.env'), `NOBODY_URL=${nobody}\n`)
  const away = await copy('OLD_URL', 'NOBODY_URL')
  expect(away.stderr).toMatch(
    /cannot be reached \(ECONNREFUSED\)\. Check --to, and that it runs\. --to is postgres:\/\/me:\.\.\.@127\.0\.0\.1:1\/shop\?password=\.\.\.\./,
  )
  for (const [line, code, words] of [
    ['--frm OLD_URL --to NEW_URL', 2, "unknown option '--frm'"],
    ['--to NEW_URL', 2, "required option '--from <store>' not specified"],
    ['--from OLD_URL --to NO_SUCH', 2, 'There is no environment variable NO_SUCH'],
    [
      '--from OLD_URL --to ./new.db',
      2,
      '--to takes sqlite: and a path, or the name of an environment variable',
    ],
    ['--from sqlite:none.db --to NEW_URL', 2, 'none.db) holds no tables of Purveyor.'],
    ['--from OLD_URL --to sqlite::memory:', 2, 'a store in memory'],
  ] as const)
    expect(await run('db', 'copy', ...line.split(' '))).toMatchObject(saying(code, words))
})

test('the secret is read from .env, however the stores are named', async () => {
  const { cwd } = await withStore(1)
  writeFileSync(join(cwd, '.env'), `PURVEYOR_SECRET=${secret}\nOLD_URL=sqlite:old.db\n`)
  for (const [from, to] of [
    ['OLD_URL', 'one.db'],
    ['sqlite:old.db', 'two.db'],
  ] as const) {
    const { code, stderr } = await purveyor(['db', 'copy', '--from', from, '--to', `sqlite:${to}`], { cwd })
    expect(stderr).not.toContain('PURVEYOR_SECRET')
    expect(code).toBe(from === 'OLD_URL' ? 0 : 2)
  }
})

test('killed, the command leaves both stores as they were, and begins again', {
  timeout: 120_000,
}, async () => {
  const { cwd, env, run } = await withStore(sized(2_000, 20_000))
  const [old, fresh] = ['old.db', 'new.db'].map((name) => `sqlite:${join(cwd, name)}`) as [string, string]
  const before = await withSide(old, contentOf)
  const args = ['db', 'copy', '--from', 'OLD_URL', '--to', 'NEW_URL', '--json']
  const child = spawn(node, [main, ...args], { cwd, env: cleanEnv(env), stdio: 'ignore' })
  const ended = once(child, 'exit')
  // Its transaction has begun once the log of the new file has rows.
  const size = () => statSync(join(cwd, 'new.db-wal'), { throwIfNoEntry: false })?.size ?? 0
  while (size() < 400_000 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1))
  child.kill('SIGKILL')
  await ended
  expect(await withSide(old, contentOf)).toEqual(before)
  if (child.signalCode === 'SIGKILL') expect(JSON.parse((await run(...args)).stdout)).toHaveProperty('rows')
  expect(await withSide(fresh, contentOf)).toEqual(before)
})
