import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { createProvider, html, type Listening } from '../../src/index.ts'
import { hashToken } from '../../src/shops/tokens.ts'
import { type Engine, migrationsFor } from '../../src/stores/sql/migrations.ts'
import { payment } from '../http/messages.ts'
import { paymentUrl, postForm } from '../http/post.ts'
import { unboundText } from '../torture/strangers/sealed-texts.ts'

export const secret = 'the secret of an old store 123456'
const token = 'an-endpoint-of-before'.padEnd(43, '0')
const pageOf = (order: number) => `mk0000aa${`page-${order}-`.padEnd(43, 'x')}`
const orders = 1_200
const openedAt = Date.now() - 60_000

/** Fills a database with tables and rows as they were before page tokens were hashed and sealed texts were bound to their rows. */
export async function makeOldStore(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const before = Object.entries(migrationsFor(engine)).filter(([name]) => name < '2026-12')
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(before) } })
  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  const settings = JSON.stringify({
    credentials: { baseUrl: 'http://127.0.0.1:9', language: 'en', key: 'key', secret: 'swordfish' },
  })
  await sql`insert into shops (id, created_at, sealed_settings)
    values ('default', ${openedAt}, ${await unboundText(settings, secret)})`.execute(db)
  await sql`insert into endpoints (token_hash, shop_id, sealed_token, created_at)
    values (${hashToken(token)}, 'default', ${await unboundText(token, secret)}, ${openedAt})`.execute(db)
  const rows = Array.from({ length: orders }, (_, order) => order)
  await sql`insert into payments (shop_id, order_id, status, status_version, notified_version, redirect_url,
      webhook_url, created_at, changed_at)
    values ${sql.join(
      rows.map(
        (order) => sql`('default', ${`${order}`}, 'pending', 0, 0, 'http://127.0.0.1:9/return',
          'http://127.0.0.1:9/webhook', ${openedAt}, ${openedAt})`,
      ),
    )}`.execute(db)
  await sql`insert into attempts (shop_id, order_id, number, id, adapter, method_id, amount, currency, mode, language,
      idempotency_key, page_token, how, opened_at, expires_at)
    values ${sql.join(
      rows.map(
        (
          order,
        ) => sql`('default', ${`${order}`}, 1, ${`default.${order}`}, 'page', 'page', '29.34', 'eur', 'test',
          'en', ${`key ${order}`}, ${pageOf(order)}, 'page', ${openedAt}, ${openedAt + 3_600_000})`,
      ),
    )}`.execute(db)
}

const providerOn = (databaseUrl: string) =>
  createProvider({
    development: true,
    logger: pino({ level: 'silent' }),
    secret,
    payments: {
      name: 'page',
      methods: () => [{ id: 'page', title: 'Page' }],
      start: () => ({ page: true }),
      page: { render: () => html`<p>The page</p>`, submit: () => ({ status: 'cancelled' }) },
    },
    store: databaseUrl,
  })

type Starts = (() => Promise<Listening>)[]

async function oneByOne(starts: Starts): Promise<Listening[]> {
  const all: Listening[] = []
  for (const start of starts) all.push(await start())
  return all
}

/** Current providers work with such a store. */
export async function takeOverOldStore(
  databaseUrl: string,
  begin: (starts: Starts) => Promise<Listening[]> = oneByOne,
): Promise<void> {
  const provider = providerOn(databaseUrl)
  const beside = providerOn(databaseUrl)
  const [first, second] = await begin([() => provider.listen({ port: 0 }), () => beside.listen({ port: 0 })])
  const { url, endpoint } = first!
  onTestFinished(async () => {
    await Promise.all([provider.stop(), beside.stop()])
  })
  expect(endpoint).toBe(`${url}/e/${token}`)
  expect((await provider.shops.credentials('default')).secret).toBe('swordfish')

  const look = async (page: string, at = url) =>
    (await fetch(`${at}/p/${page}`, { redirect: 'manual' })).text()
  for (const order of [0, 999, 1_000, 1_199]) expect(await look(pageOf(order))).toContain('The page')

  const start = async (at: string, id: number) =>
    new URL(await paymentUrl(at, payment({ id, method: 'page' }))).pathname.slice('/p/'.length)
  // A repeat of an old order, through either node: one address, which works, and so does the one that the customer had.
  const again = await start(endpoint, 7)
  expect(await start(second!.endpoint, 7)).toBe(again)
  expect(again).not.toBe(pageOf(7))
  for (const page of [again, pageOf(7)]) {
    for (const at of [url, second!.url]) expect(await look(page, at)).toContain('The page')
  }
  const posted = await postForm(`${url}/p/${pageOf(7)}`)
  expect(posted.headers.get('location')).toBe(`${url}/p/${pageOf(7)}/done`)
  expect(await look(pageOf(8).slice(0, -1))).not.toContain('The page')
}
