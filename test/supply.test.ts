import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inlined } from '../.ci/bundle.ts'
import { builtPackage } from './built.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const { packages } = read('../package-lock.json') as {
  packages: Record<
    string,
    {
      version: string
      dev?: boolean
      devOptional?: boolean
      peer?: boolean
      optional?: boolean
      hasInstallScript?: boolean
      resolved?: string
    }
  >
}
const manifest = read('../package.json') as {
  dependencies: Record<string, string>
  scripts: Record<string, string>
}

/** The oldest versions without a fault that matters here. */
const floors: Record<string, string> = {
  express: '5.3.0',
  helmet: '8.0.0',
  hono: '4.13.0',
  'ipaddr.js': '2.5.0',
  jose: '6.0.0',
  kysely: '0.29.0',
  pino: '10.4.0',
  'pino-http': '11.0.0',
  undici: '8.0.0',
  zod: '4.6.0',
  // Below express: what reads requests.
  'body-parser': '2.2.0',
  'path-to-regexp': '8.2.0',
  qs: '6.14.0',
  send: '1.1.0',
}

/** Express's own, for a setting that we do not use. */
const unused = ['node_modules/proxy-addr/node_modules/ipaddr.js']

const isBelow = (version: string, floor: string) => version.localeCompare(floor, 'en', { numeric: true }) < 0

test('what is installed is at or above the floors', () => {
  const below = Object.entries(floors).filter(([name, floor]) => {
    const { version } = read(`../node_modules/${name}/package.json`) as { version: string }
    return isBelow(version, floor)
  })
  expect(below).toEqual([])
})

test('an installation in production has 117 packages at most', () => {
  const installed = Object.entries(packages).filter(
    ([path, { dev, devOptional, peer }]) => path !== '' && !(dev || devOptional || peer),
  )
  expect(installed.length).toBeLessThanOrEqual(117)
})

test('what is built into the package is no dependency of it, and everything else is', async () => {
  expect(inlined.filter((name) => Object.hasOwn(manifest.dependencies, name))).toEqual([])
  // The prompts are of a scope, and parse5 brings its own copy of `entities`.
  const own = inlined.filter((name) => !['entities', 'core', 'prompts'].includes(name))
  expect(own.map((name) => packages[`node_modules/${name}`]?.dev)).toEqual(own.map(() => true))
  const licences = readFileSync(join(await builtPackage(), 'dist/THIRD-PARTY.md'), 'utf8')
  for (const name of inlined) expect(licences).toMatch(new RegExp(`^## ${name} \\d[^#]*Copyright`, 'm'))
})

test('no second copy below a package is older than the floors', () => {
  const below = Object.entries(packages).filter(([path, { version, dev }]) => {
    const floor = floors[path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)]
    return !dev && !unused.includes(path) && floor !== undefined && isBelow(version, floor)
  })
  expect(below).toEqual([])
})

test('Node and SQLite are at or above their floors', () => {
  expect(isBelow(process.versions.node, '24.15.0')).toBe(false)
  expect(isBelow(process.versions.sqlite!, '3.51.3')).toBe(false)
})

test('nothing in the production tree runs when it is installed, and neither does this package', () => {
  const scripts = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)
  expect(scripts).toEqual([])
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts).not.toHaveProperty(name)
})

test('every dependency comes from the registry, and the lock file names no address', () => {
  // A program has one copy of Node's types: the user's own, whatever its version.
  const { '@types/node': nodeTypes, ...others } = manifest.dependencies
  expect(nodeTypes).toBe('*')
  for (const range of Object.values(others)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/)
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})
