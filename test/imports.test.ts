import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { floorOf } from './floors.ts'

const src = new URL('../src/', import.meta.url).pathname

/** Of a tariff, what neither reads files nor answers quotes. */
const tariffCore = /^adapters\/table-rates\/(countries|lint|row|table)\.ts$/

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

const imports = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, name]) => ({
      file,
      name: name!.startsWith('.') ? relative(src, join(src, dirname(file), name!)) : name!,
      own: name!.startsWith('.'),
    }),
  ),
)

test('every file has a floor', () => {
  expect(files.filter((file) => file !== 'index.ts' && floorOf(file) === -1)).toEqual([])
})

test('a file imports from its own floor or below', () => {
  const above = imports.filter(
    ({ file, name, own }) => own && file !== 'index.ts' && floorOf(name) > floorOf(file),
  )
  expect(above).toEqual([])
})

test('the ground imports zod and the decimal library at most', () => {
  const others = imports.filter(
    ({ file, name, own }) => floorOf(file) === 0 && !own && name !== 'zod' && name !== 'big.js',
  )
  expect(others).toEqual([])
})

test('the domain core does no I/O: it imports no package but the types of zod, and of Node only hashing', () => {
  const typesOfZod = (file: string) =>
    /^import type [^\n]* from 'zod'$/m.test(readFileSync(join(src, file), 'utf8'))
  const others = imports.filter(
    ({ file, name, own }) =>
      (floorOf(file) === 1 || tariffCore.test(file)) &&
      !own &&
      name !== 'node:crypto' &&
      !(name === 'zod' && typesOfZod(file)),
  )
  expect(others).toEqual([])
})

test('use cases know no Express, no disk and no network', () => {
  const allowed = ['zod', 'lru-cache', 'cockatiel', 'fastest-levenshtein']
  const others = imports.filter(
    ({ file, name, own }) => floorOf(file) === 4 && !own && !allowed.includes(name),
  )
  expect(others).toEqual([])
})

test('production code never imports the sandbox, nor builds messages of a platform', () => {
  const users = imports.filter(
    ({ file, name, own }) =>
      own &&
      /^(sandbox|messages)\//.test(name) &&
      !/^(messages|sandbox|cli|testing|conformance)\//.test(file),
  )
  expect(users).toEqual([])
})

/** The imports that are part of a circle, or lie between two: what is left when those that lead into none and out of none are gone. */
function circles(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const from = new Set(edges.map((edge) => edge[0]))
  const to = new Set(edges.map((edge) => edge[1]))
  const left = edges.filter((edge) => from.has(edge[1]) && to.has(edge[0]))
  return left.length < edges.length ? circles(left) : left.map((edge) => edge.join(' -> '))
}

test('no files import each other in a circle, types included', () => {
  expect(
    circles([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ]),
  ).toEqual(['b -> c', 'c -> b'])
  expect(circles(imports.flatMap(({ file, name, own }) => (own ? [[file, name] as const] : [])))).toEqual([])
})

test('no folders import each other in a circle, types included', () => {
  const folders = imports.flatMap(({ file, name, own }) => {
    const [from, to] = [file, name].map((path) => /^[^/]+(?=\/)/.exec(path)?.[0])
    return own && from && to && from !== to ? [[from, to] as const] : []
  })
  expect(circles(folders)).toEqual([])
})

test('no folders beside each other import each other, at any depth, types included', () => {
  // The two folders in which the paths part.
  const rooms = imports.flatMap(({ file, name, own }) => {
    const [from = [], to = []] = [file, name].map((path) => path.split('/').slice(0, -1))
    const shared = from.findIndex((part, depth) => part !== to[depth])
    if (!own || shared < 0 || to[shared] === undefined) return []
    const upTo = (path: string[]) => path.slice(0, shared + 1).join('/')
    return [[upTo(from), upTo(to)] as const]
  })
  expect(rooms.length).toBeGreaterThan(500)
  expect([...new Set(circles(rooms))]).toEqual([])
})
