import { expect, test } from 'vitest'
import { cleanEnv } from '../journey/project.ts'
import { isLong, sized } from '../long.ts'
import { folderWith, main } from './command.ts'
import { playSaves } from './dev/play-saves.ts'

// test/cli/dev/saves.test.ts saves in all ways.
test('the provider runs again after every save', { timeout: 3_600_000 }, async () => {
  const saved = await playSaves(sized(7, 300), { folder: folderWith(), main, env: cleanEnv({}) })
  expect(saved.filter(({ ms }) => ms === undefined).map(({ what }) => what)).toEqual([])
  if (!isLong) return
  const times = saved.map(({ ms }) => ms!).sort((one, other) => one - other)
  const at = (part: number) => Math.round(times[Math.ceil(times.length * part) - 1]!)
  console.log(`${saved.length} saves, 0 unseen; save to ready median ${at(0.5)} ms, p95 ${at(0.95)} ms`)
})
