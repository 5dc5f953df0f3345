import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { TariffReviews } from '../../../src/cli/dev/tariff-reviews.ts'
import { folderWith } from '../../folder.ts'

function reviewing() {
  const folder = folderWith()
  const lines: string[] = []
  const reviews = new TariffReviews(folder, (line) => lines.push(stripVTControlCharacters(line)), 0)
  let saves = 0
  const save = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    // Two saves within one tick of the clock of files are two saves.
    utimesSync(file, new Date(), new Date(Date.now() + ++saves * 1_000))
    return file
  }
  /** The lines since the last time, without their clocks. */
  const shown = () => lines.splice(0).map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] /, ''))
  return { reviews, save, shown }
}

const header = 'id,title,country,weight_from,weight_to,price_excl\n'
const overlapping = `${header}door,Door,nl,0,5,4\ndoor,Door,nl,4,10,6\n`

test('what rates lint finds in a tariff is one line, and another one when it changes', async () => {
  const { reviews, save, shown } = reviewing()
  const file = save('tariff.csv', overlapping)
  await reviews.review([file])
  const line = 'tariff.csv:3 door, zone nl: overlaps line 2: where both fit, the tighter band is taken'
  expect(shown()).toEqual([line])
  // The same file after the next start, and a change that leaves the finding.
  await reviews.review([file])
  save('tariff.csv', overlapping.replace('10,6', '10,7'))
  await reviews.review([file])
  expect(shown()).toEqual([])
  save('tariff.csv', `${overlapping}door,Door,nl,9,,8\n`)
  await reviews.review([file])
  expect(shown()).toEqual([`${line}, and 1 more: purveyor rates lint tariff.csv`])
  // Repaired, and broken again.
  save('tariff.csv', overlapping.replace('nl,4', 'nl,5'))
  await reviews.review([file])
  save('tariff.csv', overlapping)
  await reviews.review([file])
  expect(shown()).toEqual([line])
})

test('a tariff with faults and one that is gone have no line, and each of several has its own', async () => {
  const { reviews, save, shown } = reviewing()
  const faulty = save('faulty.csv', `${header}door,Door,nl,0,5,4;95\n`)
  const other = save('other.csv', overlapping)
  await reviews.review([faulty, join(faulty, '../gone.csv'), other])
  expect(shown()).toEqual([expect.stringContaining('other.csv:3 door')])
})

test('a review that is closed shows nothing', async () => {
  const { reviews, save, shown } = reviewing()
  const review = reviews.review([save('tariff.csv', overlapping), save('other.csv', overlapping)])
  await Promise.resolve()
  reviews.close()
  await review
  expect(shown()).toEqual([])
})
