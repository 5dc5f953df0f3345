import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { screenFile, screenNames, takeScreens, wordsFile, wordsOfAll } from './screens.ts'

test('the pictures of the start page show the pages as they are', async () => {
  const screens = await takeScreens()
  expect([...screens.keys()]).toEqual(screenNames)
  for (const name of screenNames) expect(statSync(screenFile(name)).size, name).toBeGreaterThan(10_000)
  expect(wordsOfAll(screens), 'Run: node test/docs/screens.ts').toBe(await readFile(wordsFile, 'utf8'))
})
