import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv } from '../../journey/project.ts'
import { sized } from '../../long.ts'
import { contentOf, withSide } from '../../stores/copying.ts'
import { makeFilledStore, secret } from '../../stores/filled-store.ts'
import { commandsIn, folderWith, main, printing, providerSource, saying } from '../command.ts'
import { doctor } from '../doctor/found.ts'

/** A folder with a provider and a store of its secret, and what runs commands there. */
async function withStore(payments = 20) {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  await makeFilledStore(join(cwd, 'old.db'), payments)
  const env = { PURVEYOR_SECRET: secret, OLD_URL: 'sqlite:old.db', NEW_URL: 'sqlite:new.db' }
  return { cwd, env, run: commandsIn(cwd, env) }
}

test('a store is copied, nobody serves the old one, and it is released again', {
  timeout: 120_000,
}, async () => {
  const { cwd, env, run } = await withStore()
  const copied = await run('db copy --from sqlite:old.db --to NEW_URL')
  expect(copied).toMatchObject(printing(0, /table +rows\n/))
  expect(copied.out).toMatch(
    /payments +20\n[\s\S]*copied to sqlite:\S+new\.db in \d+\.\d s\. Both are equal\./,
  )
  const again = await run('db copy --from OLD_URL --to NEW_URL')
  expect(again).toMatchObject(saying(2, 'was moved to sqlite:'))

  const at = (url: string) => ({ ...env, PURVEYOR_DATABASE_URL: url })
  const old = commandsIn(cwd, at('sqlite:old.db'))
  const refused = await old('serve --development --port 0')
  const moved = /was moved to sqlite:\S+new\.db at .*Set PURVEYOR_DATABASE_URL to that one/
  expect(refused).toMatchObject(saying(3, moved))
  expect(refused.err).toContain('purveyor explain STORE_MOVED')
  expect((await old('payments list --json')).code).toBe(0)
  const { results, of } = await doctor(cwd, at('sqlite:old.db'))
  expect(results.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    { name: 'store', says: expect.stringMatching(/^The store was moved to/) },
  ])
  // What is due or needs review is so in the new store, and no remedy can be carried out in the old one.
  const left = 'store writes, sealed texts, endpoint, nodes, due webhooks, dead letters, anomalies'
  const skipped = { verdict: 'skipped', says: 'No provider may serve this store: see the check `store`' }
  for (const name of left.split(', ')) expect(of(name), name).toMatchObject(skipped)
  const write = await old('payments report order-4 paid --amount 4 --currency eur')
  expect(write.code).not.toBe(0)

  expect((await run('db release --from OLD_URL')).code).toBe(2)
  expect((await run('db release --from OLD_URL --to NEW_URL')).code).toBe(2)
  const released = await run.out('db release --from OLD_URL --to NEW_URL --yes')
  expect(released).toMatch(/^Providers start on sqlite:\S+old\.db again\.\n.*new\.db is given up/)
  const given = await commandsIn(cwd, at('sqlite:new.db'))('serve --development --port 0')
  expect(given.err).toContain('is a copy that was given up')
})

test('an address with a password is no argument, and every other mistake has its remedy', {
  timeout: 60_000,
}, async () => {
  const { cwd, run } = await withStore(1)
  const copy = (options: string) => run(`db copy ${options}`)
  const says = /--to takes sqlite: and a path, or the name of .* such as --to NEW_DATABASE_URL/
  for (const to of ['me:swordfish@db/p', 'me@db/p?password=swordfish', 'me:sword%@fish@db/p']) {
    const refused = await copy(`--from OLD_URL --to postgres://${to}`)
    expect(refused).toMatchObject(saying(2, says))
    expect(refused.err).not.toMatch(/swordfish|sword%/)
  }
  const nobody = 'postgres://me:swordfish@127.0.0.1:1/shop?password=swordfish'
  writeFileSync(join(cwd, '.env'), `NOBODY_URL=${nobody}\n`)
  const away = await copy('--from OLD_URL --to NOBODY_URL')
  expect(away.err).toMatch(
    /cannot be reached \(ECONNREFUSED\)\. Check --to, and that it runs\. --to is postgres:\/\/me:\.\.\.@127\.0\.0\.1:1\/shop\?password=\.\.\.\./,
  )
  for (const [line, code, words] of [
    ['--frm OLD_URL --to NEW_URL', 2, "unknown option '--frm'"],
    ['--to NEW_URL', 2, "required option '--from <store>' not specified"],
    ['--from OLD_URL --to NO_SUCH', 2, 'There is no environment variable NO_SUCH'],
    ['--from OLD_URL --to ./new.db', 2, says],
    ['--from sqlite:none.db --to NEW_URL', 2, 'none.db) holds no tables of Purveyor.'],
    ['--from OLD_URL --to sqlite::memory:', 2, 'a store in memory'],
  ] as const)
    expect(await copy(line)).toMatchObject(saying(code, words))
})

test('the secret is read from .env, however the stores are named', async () => {
  const { cwd } = await withStore(1)
  writeFileSync(join(cwd, '.env'), `PURVEYOR_SECRET=${secret}\nOLD_URL=sqlite:old.db\n`)
  for (const [from, to] of [
    ['OLD_URL', 'one.db'],
    ['sqlite:old.db', 'two.db'],
  ] as const) {
    const { code, err } = await commandsIn(cwd)(`db copy --from ${from} --to sqlite:${to}`)
    expect(err).not.toContain('PURVEYOR_SECRET')
    expect(code).toBe(from === 'OLD_URL' ? 0 : 2)
  }
})

test('killed, the command leaves both stores as they were, and begins again', {
  timeout: 120_000,
}, async () => {
  const { cwd, env, run } = await withStore(sized(2_000, 20_000))
  const [old, fresh] = ['old.db', 'new.db'].map((name) => `sqlite:${join(cwd, name)}`) as [string, string]
  const before = await withSide(old, contentOf)
  const line = 'db copy --from OLD_URL --to NEW_URL --json'
  const options = { cwd, env: cleanEnv(env), stdio: 'ignore' } as const
  const child = spawn(process.execPath, [main, ...line.split(' ')], options)
  const ended = once(child, 'exit')
  // Its transaction has begun once the log of the new file has rows.
  const size = () => statSync(join(cwd, 'new.db-wal'), { throwIfNoEntry: false })?.size ?? 0
  while (size() < 400_000 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1))
  child.kill('SIGKILL')
  await ended
  expect(await withSide(old, contentOf)).toEqual(before)
  if (child.signalCode === 'SIGKILL') expect(JSON.parse(await run.out(line))).toHaveProperty('rows')
  expect(await withSide(fresh, contentOf)).toEqual(before)
})
