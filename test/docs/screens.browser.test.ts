import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { screenFile, screenNames, takeScreens, wordsFile, wordsOfAll } from './screens.ts'

/** Width and height of a PNG. */
const sizeOf = (picture: Buffer) => [picture.readUInt32BE(16), picture.readUInt32BE(20)]

test('the pictures of the start page show the pages as they are', async () => {
  const screens = await takeScreens()
  expect([...screens.keys()]).toEqual(screenNames)
  for (const name of screenNames)
    expect(sizeOf(readFileSync(screenFile(name))), name).toEqual(sizeOf(screens.get(name)!.picture))
  expect(wordsOfAll(screens), 'Run: node test/docs/screens.ts').toBe(readFileSync(wordsFile, 'utf8'))
})
