import { realpathSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { TariffReviews } from '../../../src/cli/dev/tariff-reviews.ts'
import { folderWith } from '../../folder.ts'

function reviewing() {
  const folder = folderWith()
  const lines: string[] = []
  const reviews = new TariffReviews(0)
  // The folder lies outside the working directory, so paths are shown whole.
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => {
    lines.push(stripVTControlCharacters(line).replaceAll(`${realpathSync(folder)}/`, ''))
  })
  onTestFinished(() => error.mockRestore())
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
  /** What a review of the tariff shows that was saved with this text. */
  const reviewed = async (text: string) => {
    await reviews.review([save('tariff.csv', text)])
    return shown()
  }
  return { reviews, save, shown, reviewed }
}

const header = 'id,title,country,weight_from,weight_to,price_excl\n'
const overlapping = `${header}door,Door,nl,0,5,4\ndoor,Door,nl,4,10,6\n`

test('what rates lint finds in a tariff is one line, and another one when it changes', async () => {
  const { reviewed } = reviewing()
  const line = 'tariff.csv:3 door, zone nl: overlaps line 2: where both fit, the narrower band is taken'
  expect(await reviewed(overlapping)).toEqual([line])
  // The same text after the next start, and a change that leaves the finding.
  expect(await reviewed(overlapping)).toEqual([])
  expect(await reviewed(overlapping.replace('10,6', '10,7'))).toEqual([])
  const more = `${line}, and 1 more: purveyor rates lint tariff.csv`
  expect(await reviewed(`${overlapping}door,Door,nl,9,,8\n`)).toEqual([more])
  // Repaired, and broken again.
  expect(await reviewed(overlapping.replace('nl,4', 'nl,5'))).toEqual([])
  expect(await reviewed(overlapping)).toEqual([line])
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
