import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const file = new URL('../docs/threats.md', import.meta.url)
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| -') && !line.startsWith('| threat'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('every threat has a control and a test that is there', () => {
  expect(rows.length).toBeGreaterThan(20)
  for (const [, threat, control, named = ''] of rows) {
    expect(threat, 'a threat').toMatch(/\w{3}/)
    expect(control, threat).toMatch(/\w{3}/)
    const [, path = ''] = /^`(test\/[\w./-]+)`$/.exec(named) ?? []
    expect(path, threat).not.toBe('')
    expect(existsSync(new URL(`../${path}`, import.meta.url)), `${threat}: ${path}`).toBe(true)
  }
})

test('the attempts of strangers that are named are run', () => {
  // What runs in processes of its own is named by the script of those.
  const run = ['strangers/all.ts', 'strangers/attack.ts']
    .map((file) => readFileSync(new URL(`./torture/${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const named = rows.map((row) => /strangers\/([\w-]+)\.ts/.exec(row[3] ?? '')?.[1]).filter(Boolean)
  for (const attempt of new Set(named)) expect(run).toContain(`/${attempt}.ts'`)
})
