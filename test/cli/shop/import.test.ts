import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cleanEnv } from '../../journey/project.ts'
import { commandsIn, folderWith, main, saying } from '../command.ts'

const source = `import { createProvider, z } from 'purveyor'

export default createProvider({
  rates: { name: 'courier', settings: z.object({ account: z.string() }), quote: () => [] },
  payments: { name: 'psp', methods: () => [], start: () => ({ redirect: 'http://127.0.0.1:9/' }) },
})
`
const header = 'shop,platform_id,hosts,settings,platform_url,platform_language,platform_key,platform_secret'
const settings = '"{""units"":{""weight"":""g""},""adapters"":{""courier"":{""account"":""A-1""}}}"'
const endpoint = /^http:\/\/127\.0\.0\.1:3000\/e\/[\w-]{43}$/

const where = (files: Record<string, string>) => {
  const cwd = folderWith({ 'provider.ts': source, ...files })
  return { cwd, run: commandsIn(cwd) }
}

describe.concurrent('shop import', () => {
  test('2,000 shops are added at once, and their endpoints are in a file for this user alone', async () => {
    const ids = Array.from({ length: 2_000 }, (_, number) => `shop${number}`)
    const platform = 'https://api.example,nl,k,SECRET-OF-'
    const lines = ids.map(
      (id, at) => `${id},${at},${id}.example.com www.${id}.example.com,${settings},${platform}${id}`,
    )
    const { cwd, run } = where({ 'shops.csv': [header, ...lines].join('\r\n') })
    const looked = await run('shop import shops.csv --dry-run')
    expect(looked).toMatchObject({ code: 0, out: '2000 shops can be added. Nothing was added.' })
    expect(await run.json('shop list')).toEqual([])

    const added = await run('shop import shops.csv --endpoints endpoints.csv')
    const out = '2000 shops are added.\nTheir endpoints are in endpoints.csv, which only this user can read.'
    expect(added).toEqual({ code: 0, err: '', out })
    const file = join(cwd, 'endpoints.csv')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [title, ...written] = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(title).toBe('shop,endpoint')
    expect(written.map((line) => line.split(',')[0])).toEqual(ids)
    expect(written.every((line) => endpoint.test(line.split(',')[1]!))).toBe(true)

    const shown = await run('shop show shop7 --endpoint')
    expect(shown.out).toContain(written[7]!.split(',')[1])
    expect(shown.out).toMatch(
      /platform id {2}7\n[\s\S]*only shop7\.example\.com, www\.shop7\.example\.com\n[\s\S]*settings {5}units, /,
    )
    const log = await run('shop log shop7')
    expect(log.out.split('\n')[0]).toContain('added the shop, platform shop 7')
    for (const ended of [looked, added, shown, log]) expect(ended.out + ended.err).not.toContain('SECRET-OF')

    const again = await run('shop import shops.csv --json')
    expect(again.code).toBe(2)
    const { faults } = JSON.parse(again.out)
    expect(faults).toHaveLength(2_000)
    expect(faults[1_999]).toMatchObject({ line: 2_001, column: 1, name: 'shop', code: 'SHOP_EXISTS' })
  })

  test('every fault has its line, column, code and remedy at once, nothing is added, and no cell is printed', async () => {
    const bad = [
      'shop;Platform_ID;hosts;settings;platform_url;platform_language;platform_key;platform_secret;colour',
      'HIDDEN One;1;a.example.com;;;;;;',
      'ok;HIDDEN;https://HIDDEN.example.com;"{""adapters"":{""courier"":{""account"":4711}}}";;;;;',
      '',
      'ok;;HIDDEN:port;"{',
      '""units"":{""weight"":""HIDDEN""}}";ftp://HIDDEN;NL;HIDDEN;HIDDEN;',
      'ok2;;;{HIDDEN;;;;',
      'ok3;;,;{HIDDEN;;;HIDDEN;;',
      'ok4;;;"{""credentials"":{}}";https://api.example;nl;HIDDEN;HIDDEN;',
      'fine;;;;;;;;',
    ]
    const { run } = where({ 'shops.csv': bad.join('\n') })
    const { code, out, err } = await run('shop import shops.csv')
    expect([code, out]).toEqual([2, ''])
    expect(err.match(/shops\.csv:\d\S* \S+ (\d )?[A-Z_]+/g)).toEqual([
      'shops.csv:1 column 9 COLUMN_UNKNOWN',
      'shops.csv:2 shop SHOP_ID_INVALID',
      'shops.csv:3 platform_id PLATFORM_ID_INVALID',
      'shops.csv:3 hosts HOST_NAME_INVALID',
      'shops.csv:3 settings SETTINGS_INVALID',
      'shops.csv:5 shop SHOP_TWICE',
      'shops.csv:5 hosts HOST_NAME_INVALID',
      'shops.csv:5 settings SETTINGS_INVALID',
      'shops.csv:5 platform_url SETTINGS_INVALID',
      'shops.csv:5 platform_language SETTINGS_INVALID',
      'shops.csv:7 line CELLS_MISCOUNTED',
      'shops.csv:8 hosts HOSTS_MISSING',
      'shops.csv:8 settings SETTINGS_INVALID',
      'shops.csv:8 platform_url CREDENTIALS_INCOMPLETE',
      'shops.csv:9 settings CREDENTIALS_INCOMPLETE',
    ])
    expect(err).not.toMatch(/HIDDEN/)
    expect(err).toContain('\n  SHOP_TWICE: Remove one line, or change its id.\n')
    expect(err).toContain('purveyor explain SHOPS_INVALID')
    const { faults } = await run.json('shop import shops.csv')
    expect(faults[1]).toEqual({
      ...{ line: 2, column: 1, name: 'shop', code: 'SHOP_ID_INVALID' },
      message: expect.stringContaining('lower-case letters'),
      remedy: expect.stringMatching(/\.$/),
    })
    expect(await run.out('shop list')).toContain('There are no shops yet')
  })

  test.each<[string, string, string]>([
    ['is empty', '', 'ROWS_MISSING'],
    ['has a header only', 'shop,hosts\n', 'ROWS_MISSING'],
    ['has no column shop', 'name\nbikes\n', 'COLUMN_MISSING'],
    ['has a column twice', 'shop,shop\na,b\n', 'COLUMN_TWICE'],
    ['has a quote that never ends', 'shop,hosts\na,"HIDDEN\nb,c\n', 'CSV_UNREADABLE'],
    ['is not in UTF-8', 'shop\n\xff\n', 'is not UTF-8'],
  ])('a file that %s is refused', async (_what, text, said) => {
    const { cwd, run } = where({})
    writeFileSync(join(cwd, 'shops.csv'), Buffer.from(text, 'latin1'))
    const ended = await run('shop import shops.csv --endpoints out.csv')
    expect(ended).toMatchObject(saying(2, said))
    expect(ended.err).not.toContain('HIDDEN')
    expect(existsSync(join(cwd, 'out.csv'))).toBe(false)
  })

  test('input comes by a pipe, endpoints are printed on request, and open lists are warned of', async () => {
    const { cwd } = where({})
    const args = [main, 'shop', 'import', '-', '--show-endpoint', '--json']
    const child = spawn(process.execPath, args, { cwd, env: cleanEnv() })
    let [out, complaint] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (complaint += chunk))
    child.stdin.write('\ufeffshop\thosts\nbikes\t\n')
    child.stdin.end('cars\tcars.example.com\n')
    expect((await once(child, 'close'))[0]).toBe(0)
    expect(JSON.parse(out)).toEqual({
      added: 2,
      shops: [
        { shop: 'bikes', endpoint: expect.stringMatching(endpoint) },
        { shop: 'cars', endpoint: expect.stringMatching(endpoint) },
      ],
    })
    expect(complaint).toContain('of 1 shop may name any public host')
  })

  test('a file of endpoints that is there, and a file of shops that is not, change nothing', async () => {
    const { cwd, run } = where({ 'shops.csv': 'shop\nbikes\n', 'mine.csv': 'mine' })
    const refused = await run('shop import shops.csv --endpoints mine.csv')
    expect(refused).toMatchObject(saying(2, 'mine.csv exists already'))
    expect(readFileSync(join(cwd, 'mine.csv'), 'utf8')).toBe('mine')
    expect((await run('shop import shops.csv --endpoints no/such.csv')).code).toBe(2)
    expect(await run('shop import nothing.csv')).toMatchObject(saying(2, 'nothing.csv is not there'))
    expect(await run.out('shop list')).toContain('There are no shops yet')
  })
})
