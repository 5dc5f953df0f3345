import { expect, test } from 'vitest'
import { watchedFiles } from '../../../src/cli/dev/saves.ts'

const watched = watchedFiles('/data/shop/provider.ts', '/data/shop', ['/data/shop/calls'])

const read = `provider.ts a.mts a.js a.mjs tariff.csv zones.geojson package.json texts.json
  test.ts latest.json compose.ts licences.csv zones.yaml points.txt
  .env .env.local page.html page.css logo.png font.woff2 prices.xlsx key feed.xml`
test.for(read.split(/\s+/))('%s is a file that a provider may read', (name) => {
  expect(watched.hasFile(`/data/shop/${name}`)).toBe(true)
})

const others = `.rates.ts.swp .rates.ts.swx rates.ts~ #rates.ts# .#rates.ts 4913 sedhR3x9Z .env~
  rates.ts___jb_tmp___ rates.ts___jb_old___ .goutputstream-AB12CD rates.ts.orig rates.ts.tmp
  store.db store.db-wal store.sqlite3 x.sqlite-journal any.store-shm out.log README.md .gitignore .npmrc
  provider.test.ts rates.spec.mjs tsconfig.json tsconfig.build.json package-lock.json
  Dockerfile tools.Dockerfile Makefile LICENSE LICENSE.txt compose.yaml docker-compose.dev.yml`
test.for(others.split(/\s+/))('%s is none', (name) => {
  expect(watched.hasFile(`/data/shop/${name}`)).toBe(false)
})

test('packages, builds, data, recordings and hidden folders are left alone', () => {
  for (const name of ['node_modules', 'data', 'dist', 'coverage', 'test', 'tests', '.git', '.idea', 'calls'])
    expect([name, watched.hasFolder(`/data/shop/${name}`)]).toEqual([name, false])
  for (const name of ['src', 'assets', 'recordings', 'datasets', 'testing'])
    expect([name, watched.hasFolder(`/data/shop/${name}`)]).toEqual([name, true])
  expect(watched.hasFolder('/data/shop')).toBe(true)
})

test('the folder of the provider counts, whatever its name', () => {
  const built = watchedFiles('/shop/dist/provider.js', '/shop')
  expect(built.hasFolder('/shop/dist')).toBe(true)
  expect(built.hasFolder('/shop/dist/data')).toBe(false)
})

test('a provider elsewhere brings its folder', () => {
  expect(watchedFiles('/other/src/provider.ts', '/shop').folders).toEqual(['/shop', '/other/src'])
})
