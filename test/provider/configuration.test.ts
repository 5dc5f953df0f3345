import { expect, test } from 'vitest'
import { misspeltVariables, variables } from '../../src/provider/configuration.ts'
import { sourcesIn } from '../sources.ts'

test('the list of variables has every one that the source names', () => {
  const named = sourcesIn().flatMap(({ text }) => text.match(/\bPURVEYOR_[A-Z_]*[A-Z]\b/g) ?? [])
  expect(new Set(named).size).toBeGreaterThan(15)
  expect(named.filter((name) => !variables.includes(name.replace('PURVEYOR_', '')))).toEqual([])
})

test.each([
  ['PURVEYOR_SECRT', 'PURVEYOR_SECRET'],
  ['PURVEYOR_DATABSE_URL', 'PURVEYOR_DATABASE_URL'],
  ['PURVEYOR_LOGLEVEL', 'PURVEYOR_LOG_LEVEL'],
  ['PURVEYOR_TRUSTED_PROXY', 'PURVEYOR_TRUST_PROXY'],
  ['PURVEYOR_PUBLIC_URI', 'PURVEYOR_PUBLIC_URL'],
])('%s is named with %s, and its value is not', (path, meant) => {
  expect(misspeltVariables({ [path]: 'a value', [meant]: 'another' })).toEqual([
    { path, message: `is not a setting: did you mean ${meant}?` },
  ])
})

test('variables of Purveyor and those of the user are left alone', () => {
  const names = [...variables.map((end) => `PURVEYOR_${end}`), 'PURVEYOR_TEAM', 'OTHER_SECRT', 'PURVEYOR_']
  expect(misspeltVariables(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([])
})
