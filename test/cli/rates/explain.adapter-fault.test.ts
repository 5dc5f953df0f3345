import { expect, test } from 'vitest'
import { adapterFault } from '../../../src/cli/rates/explain.ts'
import { folderWith } from '../../folder.ts'

const failed = { result: 'failed', place: 'rates.ts:2', calls: [] } as const
const remedy = "Correct this line. Without a method, answer none('why')."

test('the line that threw is found in the project, and in its folder src', () => {
  const text = "// Rates\n  throw new Error('no van')\n"
  const code = "throw new Error('no van')"
  for (const name of ['rates.ts', 'src/rates.ts'])
    expect(adapterFault(failed, folderWith({ [name]: text }))).toEqual({ place: `${name}:2`, code, remedy })
})

test('of two files with one name it is the one that the place names', () => {
  const folder = folderWith({ 'rates.ts': '\nfirst()', 'src/rates.ts': '\nsecond()' })
  expect(adapterFault({ ...failed, place: 'src/rates.ts:2' }, folder)).toMatchObject({ code: 'second()' })
})

test('a line that may hold a secret, is empty, or is in no file of the project is not shown', () => {
  const without = { place: 'rates.ts:2', remedy }
  expect(adapterFault(failed, folderWith({ 'rates.ts': "\nconst apiKey = 'x'" }))).toEqual(without)
  expect(adapterFault(failed, folderWith({ 'rates.ts': '' }))).toEqual(without)
  expect(adapterFault(failed, folderWith())).toEqual(without)
})

test.each([
  ['answered', { ...failed, result: 'none' }],
  ['failed without a place', { ...failed, place: undefined }],
  ['called its carrier', { ...failed, calls: [{ method: 'GET', to: 'carrier.example', ms: 1 }] }],
])('an adapter that %s has no fault in a line', (_how, one) => {
  expect(adapterFault(one as never)).toBeUndefined()
})
