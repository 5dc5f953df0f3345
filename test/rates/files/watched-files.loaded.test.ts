import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { filesOf } from '../../../src/rates/asking/watch-files.ts'
import { LoadedFiles } from '../../../src/rates/files/watched-files.ts'
import { folderWith } from '../../cli/command.ts'
import { ratesWith } from '../../helpers/rates.ts'

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Adapters whose files have these versions, as a file that is watched has one for each content. */
async function setup() {
  const cwd = folderWith({ 'tariff.csv': 'one', 'points.csv': 'points' })
  const files = [
    { file: `${cwd}/tariff.csv`, version: '1' as string | undefined },
    { file: `${cwd}/points.csv`, version: '1' as string | undefined },
  ]
  const adapter = (name: string, at: number): AnyRateAdapter => ({
    ...{ name, quote: () => [] },
    files: { look: async () => {}, list: () => [files[at]!] as never },
  })
  const { workings } = ratesWith([adapter('domestic', 0), adapter('points', 1)])
  await workings.store.open()
  const entries = async () =>
    (await workings.store.searchAuditTrail({ limit: 99 })).map(({ entry }) => entry).toReversed()
  return {
    ...{ workings, files, entries },
    replace(text: string) {
      writeFileSync(files[0]!.file, text)
      files[0]!.version = text
    },
  }
}

test('the audit trail says which files are in use, by adapter and digest, once for each content', async () => {
  const { workings, files, entries, replace } = await setup()
  const world = { ...workings.world, node: 'node-one' }
  const loaded = new LoadedFiles()
  for (let look = 0; look < 3; look++) await loaded.note({ ...workings, world }, filesOf(workings))
  const entry = { action: 'tariff.loaded', shop: '', by: 'provider', at: world.now(), node: 'node-one' }
  const tariff = { ...entry, adapter: 'domestic', file: files[0]!.file, digest: digestOf('one') }
  const points = { ...entry, adapter: 'points', file: files[1]!.file, digest: digestOf('points') }
  expect(await entries()).toEqual([tariff, points])
  replace('two')
  for (let look = 0; look < 3; look++) await loaded.note({ ...workings, world }, filesOf(workings))
  expect((await entries()).slice(2)).toEqual([{ ...tariff, digest: digestOf('two') }])
  replace('one')
  await loaded.note({ ...workings, world }, filesOf(workings))
  expect((await entries()).slice(3)).toEqual([tariff])
})

test('another process, or one that starts again, notes no content that the trail has last', async () => {
  const { workings, entries, replace } = await setup()
  await new LoadedFiles().note(workings, filesOf(workings))
  await new LoadedFiles().note(workings, filesOf(workings))
  expect(await entries()).toHaveLength(2)
  const first = new LoadedFiles()
  replace('two')
  await first.note(workings, filesOf(workings))
  await new LoadedFiles().note(workings, filesOf(workings))
  expect((await entries()).map((one) => 'digest' in one && one.digest)).toEqual(
    ['one', 'points', 'two'].map(digestOf),
  )
})

test('a file that is not in use, or is gone, is noted when it can be read', async () => {
  const { workings, files, entries, replace } = await setup()
  files[1]!.version = undefined
  rmSync(files[0]!.file)
  const loaded = new LoadedFiles()
  await loaded.note(workings, filesOf(workings))
  expect(await entries()).toEqual([])
  replace('back')
  await loaded.note(workings, filesOf(workings))
  expect((await entries()).map((one) => 'digest' in one && one.digest)).toEqual([digestOf('back')])
})
