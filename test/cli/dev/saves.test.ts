import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { differences, Saves, snapshotOf, watchedFiles } from '../../../src/cli/dev/saves.ts'
import { atEnd } from '../../at-end.ts'
import { folderWith } from '../../folder.ts'
import { stepsIn, treeWays, ways } from './ways-of-saving.ts'

function savesIn(files: Record<string, string>, saveTakes?: number) {
  const folder = folderWith(files)
  const watched = watchedFiles(join(folder, 'provider.ts'), folder)
  const { folders } = watched
  let looks = 0
  // Each look begins with the folders.
  Object.defineProperty(watched, 'folders', {
    get() {
      looks++
      return folders
    },
  })
  const saves = new Saves(watched, saveTakes)
  atEnd(() => saves.close())
  return { saves, at: (name: string) => join(folder, name), looks: () => looks }
}

const ends = [
  ['empty', (file: string) => writeFileSync(file, '')],
  ['gone', (file: string) => rmSync(file)],
] as const

test('each save is seen once, also one before the next look was asked for', async () => {
  const { saves, at } = savesIn({ 'provider.ts': '0' })
  for (const content of ['1', '2', '3']) {
    writeFileSync(at('provider.ts'), content)
    expect(await saves.next()).toEqual(['provider.ts'])
  }
  writeFileSync(at('provider.ts'), '4')
  writeFileSync(at('provider.ts'), '4')
  expect(await saves.next()).toEqual(['provider.ts'])
})

test('every way of saving is seen: in place and by rename, several files at once, new, moved and removed ones', async () => {
  const folder = folderWith()
  const steps = stepsIn(folder)
  const saves = new Saves(watchedFiles(join(folder, 'provider.ts'), folder))
  atEnd(() => saves.close())
  const left = new Set(Object.keys({ ...ways, ...treeWays }))
  for (let number = 0; number < 21; number++) {
    const { what, save } = steps.next().value
    await save()
    expect(await saves.next(), what).not.toEqual([])
    for (const way of left) if (what.endsWith(way)) left.delete(way)
  }
  expect([...left]).toEqual([])
})

test('a burst of saves is one, and none of its files is lost', async () => {
  const { saves, at } = savesIn({ 'provider.ts': '0', 'old.ts': '0' })
  const names = Array.from({ length: 30 }, (_, number) => `rates/${number}.csv`)
  mkdirSync(at('rates'))
  for (const name of names) writeFileSync(at(name), '1')
  rmSync(at('old.ts'))
  writeFileSync(at('provider.ts.tmp'), '1')
  renameSync(at('provider.ts.tmp'), at('provider.ts'))
  const seen = new Set<string>()
  while (seen.size < names.length + 2) for (const name of await saves.next()) seen.add(name)
  expect([...seen].sort()).toEqual([...names, 'old.ts', 'provider.ts'].sort())
})

test.each(ends)('a file that is %s for a moment while it is saved is one save', async (_how, begin) => {
  const { saves, at, looks } = savesIn({ 'provider.ts': '0', 'rates.ts': '0' }, 60_000)
  const first = saves.next()
  begin(at('provider.ts'))
  const before = looks()
  await expect.poll(looks).toBeGreaterThan(before)
  writeFileSync(at('provider.ts'), '1')
  expect(await first).toEqual(['provider.ts'])
  const next = saves.next()
  writeFileSync(at('rates.ts'), '1')
  expect(await next).toEqual(['rates.ts'])
})

test.each(ends)('a file that is %s for good is a save', async (_how, end) => {
  const { saves, at } = savesIn({ 'provider.ts': '0' })
  end(at('provider.ts'))
  expect(await saves.next()).toEqual(['provider.ts'])
})

test('a save that changes nothing wakes nobody', async () => {
  const { saves, at } = savesIn({ 'provider.ts': 'same', 'rates.ts': '0' })
  writeFileSync(at('provider.ts'), 'same')
  mkdirSync(at('data'))
  writeFileSync(at('data/store.json'), '1')
  const next = saves.next()
  writeFileSync(at('rates.ts'), '1')
  expect(await next).toEqual(['rates.ts'])
})

test('files elsewhere are seen from the moment they are added', async () => {
  const elsewhere = join(folderWith({ 'units.ts': '0' }), 'units.ts')
  const { saves } = savesIn({ 'provider.ts': '0' })
  saves.add([elsewhere])
  writeFileSync(elsewhere, '1')
  expect(await saves.next()).toEqual([expect.stringMatching(/^\.\..*units\.ts$/)])
})

test('once closed, nobody waits for a save', async () => {
  const { saves } = savesIn({ 'provider.ts': '0' })
  const next = saves.next()
  saves.close()
  expect(await next).toEqual([])
})

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
  for (const digit of '12345') {
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
  const large = 'x'.repeat(8_400_000)
  const { at, changed } = folderToLookAt({ 'provider.ts': '1', 'large.csv': large })
  expect(changed()).toEqual([])
  writeFileSync(at('large.csv'), `${large}y`)
  expect(changed()).toEqual(['large.csv'])
})
