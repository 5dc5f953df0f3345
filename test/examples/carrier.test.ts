import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { pretendCarrier } from '../../examples/carrier/api.ts'
import { withBuiltPackage } from '../built.ts'
import { folderWith, purveyor } from '../cli/command.ts'
import { cleanEnv, repository } from '../journey/project.ts'

const example = join(repository, 'examples/carrier')

test('the tests of the example pass', async () => {
  const args = [...(await withBuiltPackage()), '--test', join(example, 'carrier.test.ts')]
  const node = join(repository, 'node_modules/.bin/node')
  // A failing test ends it with 1, which rejects.
  const { stdout, stderr } = await promisify(execFile)(node, args, { env: cleanEnv() })
  expect(stdout + stderr).not.toMatch(/^\{"level"/m)
  expect(stdout).toMatch(/^\S+ pass 1\d$/m)
  expect(stdout).toMatch(/^\S+ fail 0$/m)
})

test('its adapter has at most 110 lines, its tests at most 60', () => {
  const lines = (file: string) => readFileSync(join(example, file), 'utf8').trimEnd().split('\n').length
  expect(lines('carrier.ts')).toBeLessThanOrEqual(110)
  expect(lines('carrier.test.ts')).toBeLessThanOrEqual(60)
})

test('rates explain shows its prices, calls and refusals for the only shop', async () => {
  const api = await pretendCarrier()
  onTestFinished(() => api.close())
  const provider = join(example, 'provider.ts')
  const cwd = folderWith({
    'far.json': readFileSync(join(example, 'request.json'), 'utf8').replaceAll('"nl" }', '"aq" }'),
  })
  const env = { CARRIER_URL: api.url, NODE_ENV: 'development' }
  const args = ['shop', 'add', 'bikes', '--settings', join(example, 'settings.json'), '--provider', provider]
  const added = await purveyor(args, { cwd, env })
  expect(added.code, added.stderr).toBe(0)
  const explain = async (file: string) =>
    (await purveyor(['rates', 'explain', '--provider', provider, '--file', file], { cwd, env })).stdout
  const near = await explain(join(example, 'request.json'))
  expect(near).toMatch(/^checkout of shop bikes: 3 methods in /)
  expect(near).toMatch(/^ {2}call {4}POST 127\.0\.0\.1:\d+\/oauth\/token {2}200 {2}\d+ ms$/m)
  expect(near).toMatch(/^ {2}in {6}parcel {2}Pakket, aan de deur {2}\d+\.\d+ {2}\S.+$/m)
  expect(near).toMatch(/^ {2}in {6}point-2210 {2}Kiosk {2}\d+\.\d+ {2}Op 350 m {2}Damrak 1, Amsterdam$/m)
  const far = await explain('far.json')
  expect(far).toContain('door: the carrier refuses it: DESTINATION_NOT_SERVED')
  expect(far).toMatch(/POST 127\.0\.0\.1:\d+\/v1\/rates {2}422 {2}/)
  api.broken = 500
  expect(await explain(join(example, 'request.json'))).toContain('in      tariff  Aan de deur  8.08  ')
})
