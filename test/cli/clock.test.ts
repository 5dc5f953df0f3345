import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { folderWith, purveyor } from './command.ts'

test('clock show says how far a clock that was set is off, and take goes by it', async () => {
  const cwd = folderWith()
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await purveyor(['clock', ...args], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  await purveyor(['db', 'migrate'], { cwd })
  expect(await run('show')).toContain('Both agree.')
  const database = new DatabaseSync(join(cwd, 'data/purveyor.db'))
  // As if the machine's clock had been set ahead since.
  database.exec('update clocks set server_at = server_at - 7200000, agreed_at = agreed_at - 7200000')
  database.close()
  expect(await run('show')).toMatch(
    /The clock is 7[12]\d\d s ahead of the providers' time, so it was changed\. .* in 40\.0 h\.\n.*purveyor clock take/,
  )
  expect(JSON.parse(await run('show', '--json')).offSeconds).toBeGreaterThan(7_000)
  const taken = JSON.parse(await run('take', '--json'))
  expect(taken.movedSeconds).toBeGreaterThan(7_000)
  expect(await run('show')).toContain('Both agree.')
  // A second one does no harm.
  expect(await run('take')).toContain('0 s later than before')
})

test('clock without a store says where it looked', async () => {
  const { code, stderr } = await purveyor(['clock', 'show'], { cwd: folderWith() })
  expect(code).toBe(3)
  expect(stderr).toContain('There is no store at ./data/purveyor.db')
})
