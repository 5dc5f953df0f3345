import { expect, test } from 'vitest'
import { mutantsOf, mutated } from './mutations.ts'

/** Each mutant as the whole text. */
const all = (source: string): string[] => mutantsOf('a.ts', source).map((mutant) => mutated(source, mutant))

test.each<[string, string, string[]]>([
  ['a boundary', 'f = a < b', ['f = a <= b', 'f = a >= b']],
  ['an equality', 'f = a === b', ['f = a !== b']],
  ['a sum of numbers, not of texts', 'f = a + b', ['f = a - b']],
  ['and, or', 'f = a && b', ['f = a || b']],
  ['a default', 'f = a ?? b', ['f = a && b']],
  ['no default where what comes out is no code', 'f = a ?? b ?? c', []],
  ['a boolean', 'f = true', ['f = false']],
  ['a negation', 'f = !a', ['f = a']],
  ['a text', "f = 'a'", ["f = ''"]],
  ['an empty text', "f = ''", ["f = 'mutated'"]],
  ['a list', 'f = [a]', ['f = []']],
  ['an object', 'f = { a }', ['f = ({})']],
  ['a call whose result nobody uses', 'f(a)', [';']],
  ['an awaited call', 'await f()', [';', 'f()']],
  ['optional chaining', 'f = a?.b', ['f = a.b']],
  ['an optional element', 'f = a?.[b]', ['f = a[b]']],
  ['a method', 'f = a.some(b)', ['f = a.every(b)']],
  ['a method that changes its object', 'f = a.trim()', ['f = a']],
  ['a pattern', 'f = /^a$/i', ['f = /a$/i', 'f = /^a/i']],
  ['a function of one expression', 'f = (a: string) => a', ['f = (a: string) => undefined']],
  ['a condition', 'if (a) b = c', ['if (true) b = c', 'if (false) b = c', 'if (!(a)) b = c']],
  ['a loop, which is never made endless', 'while (a) b = c', ['while (false) b = c']],
])('mutates %s', (_what, source, mutants) => {
  expect(all(source).sort()).toEqual(mutants.sort())
})

test.each([
  "import { a } from 'b'",
  "export { a } from 'b'",
  "type A = 'a' | true | { b: 'c' }",
  "interface A { 'b-c': 1 }",
  'f = a as const',
])('leaves names and types alone: %s', (source) => {
  expect(all(source)).toEqual([])
})

test('a mutant has its line and the named function that holds it', () => {
  const source = `
const one = true
function outer() {
  return [].map(() => true)
}
class Box {
  #open() {
    return one
  }
}
`
  expect(mutantsOf('a.ts', source).map(({ line, kind, within }) => [line, kind, within])).toEqual([
    [2, 'boolean', undefined],
    [4, 'return', 'outer'],
    [4, 'list', 'outer'],
    [4, 'return', 'outer'],
    [4, 'boolean', 'outer'],
    [8, 'return', '#open'],
  ])
})
