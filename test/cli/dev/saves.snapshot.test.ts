import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { differences, snapshotOf } from '../../../src/cli/dev/saves.ts'
import { watchedFiles } from '../../../src/cli/dev/watched-files.ts'
import { folderWith } from '../command.ts'

/** A folder with these files, and what has changed there since the last look, sorted. */
function folderToLookAt(files: Record<string, string>) {
  const folder = folderWith(files)
  const watched = watchedFiles(join(folder, 'provider.ts'), folder)
  let last = snapshotOf(watched, [])
  const changed = () => {
    const now = snapshotOf(watched, [])
    const found = differences(last, now).map((path) => watched.shown(path))
    last = now
    return found.sort()
  }
  return { folder, changed, at: (name: string) => join(folder, name) }
}

test('new, changed, moved and removed files are found, in new folders too', () => {
  const { at, changed } = folderToLookAt({ 'provider.ts': '1', 'rates.ts': '1', 'src/a.ts': '1' })
  expect(changed()).toEqual([])
  writeFileSync(at('provider.ts'), '2')
  mkdirSync(at('new/deep'), { recursive: true })
  writeFileSync(at('new/deep/b.csv'), '1')
  renameSync(at('rates.ts'), at('prices.ts'))
  rmSync(at('src'), { recursive: true })
  expect(changed()).toEqual(['new/deep/b.csv', 'prices.ts', 'provider.ts', 'rates.ts', 'src/a.ts'])
  expect(changed()).toEqual([])
})

test('a file that holds the same as before has not changed, however it was saved', () => {
  const { at, changed } = folderToLookAt({ 'provider.ts': 'same' })
  writeFileSync(at('provider.ts'), 'same')
  expect(changed()).toEqual([])
  writeFileSync(at('provider.ts~'), 'same')
  renameSync(at('provider.ts~'), at('provider.ts'))
  expect(changed()).toEqual([])
})

test('two saves of one size in one tick of the clock of files are two', () => {
  const { at, changed } = folderToLookAt({ 'provider.ts': '0' })
  for (const digit of ['1', '2', '3', '4', '5']) {
    writeFileSync(at('provider.ts'), digit)
    expect(changed()).toEqual(['provider.ts'])
  }
})

test('an older copy with the size and the time of the file is a change', () => {
  const { at, changed } = folderToLookAt({ 'provider.ts': 'one' })
  const { atime, mtime } = statSync(at('provider.ts'))
  writeFileSync(at('copy.tmp'), 'two')
  utimesSync(at('copy.tmp'), atime, mtime)
  renameSync(at('copy.tmp'), at('provider.ts'))
  expect(changed()).toEqual(['provider.ts'])
})

test('stores of any name, data and packages are no change', () => {
  const { at, changed } = folderToLookAt({ 'provider.ts': '1', 'node_modules/a/index.js': '1' })
  const store = new DatabaseSync(at('orders.store'))
  store.exec('create table a (b)')
  changed()
  store.exec('insert into a values (1)')
  store.close()
  for (const folder of ['data', '.git', 'dist']) mkdirSync(at(folder))
  for (const name of ['node_modules/a/index.js', 'data/a.json', '.git/HEAD', 'dist/a.js', 'notes.md'])
    writeFileSync(at(name), '2')
  expect(changed()).toEqual([])
})

test('links are followed, and a ring of them ends', () => {
  const other = folderWith({ 'shared/units.ts': '1' })
  const { at, folder, changed } = folderToLookAt({ 'provider.ts': '1' })
  symlinkSync(join(other, 'shared'), at('shared'))
  symlinkSync(folder, at('ring'))
  symlinkSync(at('nowhere'), at('broken.ts'))
  expect(changed()).toEqual(['shared/units.ts'])
  writeFileSync(join(other, 'shared/units.ts'), '2')
  expect(changed()).toEqual(['shared/units.ts'])
})

test('a file above 8 MiB is compared by its size and times', () => {
  const { at, changed } = folderToLookAt({ 'provider.ts': '1', 'large.csv': 'x'.repeat(8_400_000) })
  expect(changed()).toEqual([])
  appendFileSync(at('large.csv'), 'y')
  expect(changed()).toEqual(['large.csv'])
})
