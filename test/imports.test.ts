import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { floorOf, ideas } from './floors.ts'

const src = new URL('../src/', import.meta.url).pathname

/** Rules: they do no I/O and ask no clock. */
const rules =
  /^(payments\/(ledger|pages)|rates\/(parcels|zipcodes)|brand)\/(?!brand-schema)|^(payments|rates)\/(adapter|methods)\.ts$|^adapters\/(offered-methods|product-facts|units)\.ts$/

/** What reads the files of tariffs, pick-up points, product facts and recorded answers. */
const readsFiles = /^rates\/(files|tariffs|points|carriers)\//

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

const imports = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^'\s]+)'/g)].map(
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

test('rules do no I/O: they import no package but the types of zod, and of Node only hashing', () => {
  const typesOfZod = (file: string) =>
    /^import type [^\n]* from 'zod'$/m.test(readFileSync(join(src, file), 'utf8'))
  const others = imports.filter(
    ({ file, name, own }) =>
      rules.test(file) && !own && name !== 'node:crypto' && !(name === 'zod' && typesOfZod(file)),
  )
  expect(others).toEqual([])
})

test('ideas know no Express, no socket and no database, and the disk only where files are read', () => {
  const allowed = ['zod', 'lru-cache', 'cockatiel', 'node:crypto']
  const mayUse = ({ file, name }: (typeof imports)[number]) =>
    allowed.includes(name) ||
    // Commands of the store are generators: they build statements, and run none.
    (name === 'kysely' && file.includes('/commands/')) ||
    (readsFiles.test(file) && /^(node:(fs|path|stream)|csv-parse)/.test(name))
  const others = imports.filter((one) => ideas.includes(one.file.split('/')[0]!) && !one.own && !mayUse(one))
  expect(others).toEqual([])
})

test('only adapters of carriers know the way out', () => {
  const users = imports.filter(
    ({ file, name, own }) =>
      own &&
      name.startsWith('network/') &&
      ideas.includes(file.split('/')[0]!) &&
      !file.startsWith('rates/carriers/'),
  )
  expect(users).toEqual([])
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

test('no folders import each other in a circle but the four ideas, types included', () => {
  const folders = imports.flatMap(({ file, name, own }) => {
    const [from, to] = [file, name].map((path) => /^[^/]+(?=\/)/.exec(path)?.[0])
    const isIdeas = ideas.includes(from!) && ideas.includes(to!)
    return own && from && to && from !== to && !isIdeas ? [[from, to] as const] : []
  })
  expect(circles(folders)).toEqual([])
})

test('no folders beside each other import each other, at any depth, types included', () => {
  // The two folders in which the paths part.
  const rooms = imports.flatMap(({ file, name, own }) => {
    const [from = [], to = []] = [file, name].map((path) => path.split('/').slice(0, -1))
    const shared = from.findIndex((part, depth) => part !== to[depth])
    if (!own || shared < 0 || to[shared] === undefined) return []
    if (shared === 0 && ideas.includes(from[0]!) && ideas.includes(to[0]!)) return []
    const upTo = (path: string[]) => path.slice(0, shared + 1).join('/')
    return [[upTo(from), upTo(to)] as const]
  })
  expect(rooms.length).toBeGreaterThan(500)
  expect([...new Set(circles(rooms))]).toEqual([])
})
