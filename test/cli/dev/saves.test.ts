import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Saves } from '../../../src/cli/dev/saves.ts'
import { watchedFiles } from '../../../src/cli/dev/watched-files.ts'
import { atEnd } from '../../at-end.ts'
import { folderWith } from '../command.ts'

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
  const saves = new Saves(watched, undefined, saveTakes)
  atEnd(() => saves.close())
  return { saves, at: (name: string) => join(folder, name), looks: () => looks }
}

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

test.each([
  ['becomes empty', (file: string) => writeFileSync(file, '')],
  ['is gone', (file: string) => rmSync(file)],
])('a file that %s for a moment while it is saved is one save', async (_how, begin) => {
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

test.each([
  ['emptied', (file: string) => writeFileSync(file, '')],
  ['removed', (file: string) => rmSync(file)],
])('a file that was %s for good is a save', async (_how, end) => {
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

test('without events of the system a save is seen by the slow look', async () => {
  const { saves, at } = savesIn({ 'provider.ts': '0' })
  // Closed, it sends no events any more.
  await saves.watcher.close()
  writeFileSync(at('provider.ts'), '1')
  expect(await saves.next()).toEqual(['provider.ts'])
})

test('once closed, nobody waits for a save', async () => {
  const { saves } = savesIn({ 'provider.ts': '0' })
  const next = saves.next()
  await saves.close()
  expect(await next).toEqual([])
})
