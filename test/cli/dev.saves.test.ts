import { expect, test } from 'vitest'
import { cleanEnv } from '../journey/project.ts'
import { isLong, sized } from '../long.ts'
import { folderWith, main } from './command.ts'
import { playSaves } from './dev/play-saves.ts'
import { treeWays, ways } from './dev/ways-of-saving.ts'

test('every save is seen: in place and by rename, several at once, new, moved and removed files', {
  timeout: 3_600_000,
}, async () => {
  const saved = await playSaves(sized(21, 300), { folder: folderWith(), main, env: cleanEnv({}) })
  const all = Object.keys({ ...ways, ...treeWays })
  expect(all.filter((way) => !saved.some(({ what }) => what.endsWith(way)))).toEqual([])
  expect(saved.filter(({ ms }) => ms === undefined).map(({ what }) => what)).toEqual([])
  if (!isLong) return
  const times = saved.map(({ ms }) => ms!).sort((one, other) => one - other)
  const at = (part: number) => Math.round(times[Math.ceil(times.length * part) - 1]!)
  console.log(`${saved.length} saves, 0 unseen; save to ready median ${at(0.5)} ms, p95 ${at(0.95)} ms`)
})
