import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { html, type ProviderOptions } from '../../src/index.ts'
import { folderWith } from '../folder.ts'
import { payment } from '../http/messages.ts'
import { paymentUrl } from '../http/post.ts'
import { listening } from '../listening.ts'
import { inFile, sqliteValues } from './sqlite-tables.ts'

const secret = 'the secret of these stores 123456'

const credentials = { baseUrl: 'http://127.0.0.1:9', language: 'en', key: 'key', secret: 'swordfish' }

async function open(file: string, options: Partial<ProviderOptions> = {}) {
  const { provider, port, endpoint } = await listening({
    publicUrl: 'http://127.0.0.1:8',
    secret,
    payments: {
      name: 'page',
      methods: () => [{ id: 'page', title: 'Page' }],
      start: () => ({ page: true }),
      page: { render: () => html`<p>The page</p>`, submit: () => ({ status: 'cancelled' }) },
    },
    ...options,
    store: `sqlite:${file}`,
  })
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  const pay = (id: number) => paymentUrl(at(new URL(endpoint).pathname), payment({ id, method: 'page' }))
  const look = async (url: string) => (await fetch(at(new URL(url).pathname))).status
  return { provider, pay, look, at }
}

describe('page tokens', () => {
  test('a repeat gets the same address, also from another process, after a new secret and a restart', async () => {
    const file = `${folderWith()}/pages.db`
    const one = await open(file)
    const other = await open(file)
    const url = await one.pay(1)
    expect([await one.pay(1), await other.pay(1), await other.look(url)]).toEqual([url, url, 200])
    await Promise.all([one.provider.stop(), other.provider.stop()])
    const fresh = { secret: 'a fresh secret of these tests 123' }
    const between = await open(file, { secret: { current: fresh.secret, previous: secret } })
    expect(await between.pay(1)).toBe(url)
    await between.provider.stop()
    const after = await open(file, fresh)
    expect([await after.pay(1), await after.look(url)]).toEqual([url, 200])
    expect(await after.pay(2)).not.toBe(url)
  })

  test('nothing that stands in the store opens a page, and no file of it holds a token', async () => {
    const folder = folderWith()
    const { pay, look, at } = await open(join(folder, 'pages.db'))
    const url = await pay(1)
    const token = url.split('/').at(-1)!
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name)).includes(token), name).toBe(false)
    for (const value of sqliteValues(join(folder, 'pages.db')))
      expect((await fetch(at(`/p/${encodeURIComponent(value)}`))).status).not.toBe(200)
    expect(await look(url)).toBe(200)
  })
})

describe('sealed texts', () => {
  async function twoShops() {
    const file = `${folderWith()}/sealed.db`
    const { provider } = await open(file)
    await provider.shops.add('one')
    await provider.shops.add('two')
    await provider.shops.connect('one', credentials)
    await provider.shops.connect('two', { ...credentials, secret: 'of two' })
    await provider.stop()
    return { file, change: (statement: string) => inFile(file, (database) => database.exec(statement)) }
  }

  test('one that stands in the row of another shop does not open', async () => {
    const { file, change } = await twoShops()
    const settingsOf = (id: string) =>
      inFile(file, (one) => one.prepare('select sealed_settings as s from shops where id = ?').get(id)!.s)
    const [one, two] = [settingsOf('one'), settingsOf('two')]
    const put = (id: string, text = one) =>
      inFile(file, (to) => to.prepare('update shops set sealed_settings = ? where id = ?').run(text!, id))
    put('one', two)
    put('two')
    const { provider } = await open(file)
    await expect(provider.shops.credentials('two')).rejects.toThrow(/shop two was changed.*wrong row/)
    await expect(provider.shops.show('one')).rejects.toThrow(/shop one was changed/)
    // The way of an endpoint's token into the row of another one's.
    change(`update endpoints set sealed_token = (select sealed_token from endpoints where shop_id = 'two')
      where shop_id = 'one'`)
    put('one')
    const revealing = provider.shops.show('one', { reveal: true })
    await expect(revealing).rejects.toThrow(/an endpoint of shop one was changed/)
  })

  test('an endpoint or a push address that is moved to another shop does not open there', async () => {
    const file = `${folderWith()}/moved.db`
    const push = { verify: () => false, read: () => [] }
    const psp = { name: 'psp', methods: () => [], start: () => ({ later: true as const }), push }
    const { provider } = await open(file, { payments: psp })
    for (const id of ['one', 'two']) {
      await provider.shops.add(id)
      await provider.shops.show(id, { reveal: true })
    }
    await provider.stop()
    const swap = (table: string) =>
      inFile(file, (database) => {
        database.exec('pragma foreign_keys = off')
        const move = database.prepare(`update ${table} set shop_id = ? where shop_id = ?`)
        for (const [to, from] of [
          ['nobody', 'one'] as const,
          ['one', 'two'] as const,
          ['two', 'nobody'] as const,
        ])
          move.run(to, from)
      })
    const shown = async () => {
      const again = (await open(file, { payments: psp })).provider
      const looks = ['one', 'two'].map((id) => again.shops.show(id, { reveal: true }))
      return (await Promise.allSettled(looks)).map((look) =>
        look.status === 'rejected' ? (look.reason as Error).message : 'shown',
      )
    }
    for (const [table, what] of [
      ['endpoints', 'an endpoint'] as const,
      ['push_addresses', 'a push address'] as const,
    ]) {
      swap(table)
      const texts = ['one', 'two'].map((id) => `The sealed text of ${what} of shop ${id} was changed`)
      expect(await shown()).toEqual(texts.map((text) => expect.stringContaining(text)))
      swap(table)
    }
    expect(await shown()).toEqual(['shown', 'shown'])
  })

  test('a store that has lost its key is refused, whatever is sealed in it', async () => {
    const { file, change } = await twoShops()
    change('delete from keys')
    await expect(open(file)).rejects.toThrow(/lost the key.*Restore/)
    expect(inFile(file, (database) => database.prepare('select * from keys').all())).toEqual([])
  })

  test('with another secret nothing of a store is changed', async () => {
    const { file } = await twoShops()
    const before = sqliteValues(file)
    const opening = open(file, { secret: 'not the secret of that store 123' })
    await expect(opening).rejects.toThrow(/PURVEYOR_SECRET/)
    expect(sqliteValues(file)).toEqual(before)
  })
})
