import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeEndpoints } from '../../../src/cli/shop/import.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { payment, shopUrls } from '../../http/messages.ts'
import { sqliteValues } from '../../stores/sqlite-tables.ts'
import { temporaryFolder } from '../../temporary.ts'
import { getOf, openTarget, pageOf, pathOf, type Target } from './target.ts'

const credentialsOf = (shop: string, round = 0) => ({
  baseUrl: 'https://shop.example',
  language: 'en',
  key: `key of ${shop} ${round}`,
  secret: `Canary secret of ${shop}`,
})

/** Attacks by someone with a copy of the store, with write access to it, or with a view of the disk and the network. */
export async function tryAtRest() {
  using folder = temporaryFolder()
  const data = folder.at('data')
  const file = join(data, 'store.db')
  const violations: string[] = []
  await using target = await openTarget({ file })
  const shops = [await openShop(target, 'a', violations), await openShop(target, 'b', violations)]
  violations.push(...(await importShops(target, folder.path)))
  violations.push(...looseRights(data), ...looseRights(folder.path))
  const secrets = shops.flatMap(({ name, token, page }) => [token, page, credentialsOf(name).secret])
  for (const name of readdirSync(data)) {
    const bytes = readFileSync(join(data, name))
    for (const one of secrets) if (bytes.includes(one)) violations.push(`a secret stands in ${name}`)
  }
  const values = [...new Set(sqliteValues(file).filter((value) => value !== ''))]
  violations.push(...(await opened(target, values)))
  // Sealed texts that were put where they do not belong.
  const moved = await moveTexts(target, file, violations)
  violations.push(...(await inTheClear()))
  return { values: values.length, moved, violations }
}

/** A shop with settings, credentials and a payment page, each changed beside the others. */
async function openShop({ provider, call }: Target, name: string, violations: string[]) {
  const { shops } = provider
  const endpoint = pathOf((await shops.add(name)).endpoint)
  await shops.connect(name, credentialsOf(name))
  await shops.saveSettings(name, { units: { weight: 'g' } })
  for (let round = 1; round <= 3; round++) {
    await Promise.all([
      shops.connect(name, credentialsOf(name, round)),
      shops.saveSettings(name, { units: { volume: 'l' } }),
    ])
    const { key } = await shops.credentials(name).catch(() => ({ key: 'gone' }))
    if (key !== credentialsOf(name, round).key) violations.push(`the credentials of a shop are ${key}`)
    if (!(await shops.show(name)).settings.includes('units'))
      violations.push('the settings of a shop are gone')
  }
  const message = { ...payment({ id: `${name}-1`, method: 'page:page' }), ...shopUrls }
  const start = async () => (await pageOf({ call }, endpoint, message)).split('/')[2]!
  const page = await start()
  if ((await start()) !== page) violations.push('a repeat gets another address')
  const { status } = await call(getOf(`/p/${page}`))
  if (status !== 200) violations.push(`a page that was given to a customer is answered ${status}`)
  return { name, page, token: endpoint.split('/')[2]! }
}

/** Shops that are added together, with their endpoints in a file. */
async function importShops({ provider: { shops } }: Target, folder: string): Promise<string[]> {
  const added = await writeEndpoints(join(folder, 'endpoints.csv'), () =>
    shops.addAll([{ id: 'c' }, { id: 'd' }]),
  )
  const isShown = async ({ shop, endpoint }: (typeof added)[number]) =>
    (await shops.show(shop, { reveal: true })).endpoints[0]?.url === endpoint
  const shown = await Promise.all(added.map(isShown)).catch(() => [false])
  return shown.every(Boolean) ? [] : ['an endpoint of an imported shop is not sealed for it']
}

function looseRights(folder: string): string[] {
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))]
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => `others can open ${path.slice(folder.length) || 'the folder of the store'}`)
}

/** Tries every value of the store as a token of each kind. */
async function opened({ call }: Target, values: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const value of values) {
    const token = encodeURIComponent(value)
    for (const [path, method] of [
      [`/p/${token}`, 'GET'],
      [`/p/${token}/return`, 'GET'],
      [`/e/${token}/payment/a-1`, 'GET'],
      [`/n/psp/${token}`, 'POST'],
    ] as const) {
      const { status } = await call({ method, path, ...(method === 'POST' && { body: '{}' }) })
      if (status < 400 || status === 401) found.push(`a value of the store opens ${path.slice(0, 3)}`)
    }
  }
  return found
}

/** Writes sealed texts into rows that are not theirs. Everything shown of a shop must be its own. */
async function moveTexts({ provider }: Target, file: string, violations: string[]): Promise<number> {
  const database = new DatabaseSync(file, { timeout: 2000 })
  const textsOf = (query: string) =>
    database
      .prepare(query)
      .all()
      .map((row) => String(Object.values(row)[0]))
  const texts = textsOf(`select sealed_settings from shops where sealed_settings is not null
    union all select sealed_token from endpoints union all select sealed from keys`)
  const [own = ''] = textsOf(`select sealed_settings from shops where id = 'a'`)
  const [ownToken = ''] = textsOf(`select sealed_token from endpoints where shop_id = 'a'`)
  let moved = 0
  const put = (text: string, token: string) => {
    database.prepare(`update shops set sealed_settings = ? where id = 'a'`).run(text)
    database.prepare(`update endpoints set sealed_token = ? where shop_id = 'a'`).run(token)
  }
  for (const text of texts) {
    for (const [settings, token] of [
      [text, ownToken],
      [own, text],
    ] as const) {
      if (settings === own && token === ownToken) continue
      moved++
      put(settings, token)
      violations.push(...(await notOpened(provider, 'a sealed text opens in a row that is not its own')))
    }
  }
  put(own, ownToken)
  // The row of an endpoint with the name of another shop.
  const swap = () => {
    database.exec('pragma foreign_keys = off')
    const move = database.prepare('update endpoints set shop_id = ? where shop_id = ?')
    move.run('nobody', 'a')
    move.run('a', 'b')
    move.run('b', 'nobody')
  }
  moved++
  swap()
  violations.push(...(await notOpened(provider, 'an endpoint opens for another shop')))
  swap()
  await provider.shops.credentials('a')
  await provider.shops.show('a', { reveal: true })
  // The key of page tokens: taken out, or another text in its place, the store does not open.
  const key = database.prepare('select * from keys').get() as { name: string; sealed: string }
  for (const text of [undefined, own, ownToken]) {
    moved++
    database.exec('delete from keys')
    if (text !== undefined) database.prepare('insert into keys values (?, ?, 0)').run(key.name, text)
    const other = await openTarget({ file }).catch((error: unknown) => error as Error)
    if (!(other instanceof Error)) {
      violations.push('a store opens that has lost its key')
      await other.provider.stop()
    } else if (!/lost the key|was changed|another secret/.test(other.message))
      violations.push(`a store without its key fails for another reason: ${other.message}`)
    database.exec('delete from keys')
  }
  database.prepare('insert into keys values (?, ?, 0)').run(key.name, key.sealed)
  database.close()
  return moved
}

/** Looks at all that is sealed of shop a: something of it must not open, and say so. */
async function notOpened({ shops }: Target['provider'], violation: string): Promise<string[]> {
  const looks = await Promise.allSettled([shops.credentials('a'), shops.show('a', { reveal: true })])
  const faults = looks.flatMap((look) => (look.status === 'rejected' ? [String(look.reason)] : []))
  if (faults.length === 0) return [violation]
  return faults.filter((fault) => !/wrong row|was changed/.test(fault))
}

/** A server on another machine is not talked to in the clear by itself. */
async function inTheClear(): Promise<string[]> {
  const error = await postgresStore({ url: 'postgres://a:b@192.0.2.1:9/x' })
    .open()
    .catch((refused: Error) => refused)
  return error?.message.includes('would not be encrypted')
    ? []
    : ['a server on another machine is talked to in the clear']
}
