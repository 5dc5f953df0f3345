import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compiled, manifest, repository } from '../../journey/project.ts'
import { linkPackages } from '../../linked-project.ts'
import { folderWith, purveyor } from '../command.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const templates = ['full', 'rates', 'payments']

/** The output of `tsc --strict` for a project, the declarations of packages included. */
const faults = (project: string) =>
  compiled(project, ...'--strict --skipLibCheck false --preserveSymlinks --pretty false'.split(' '))

/** A folder with the packages that npm installs, and no settings but those of which modules it has. */
async function bareProject(files: Record<string, string>): Promise<string> {
  const compilerOptions = { module: 'nodenext', target: 'es2024', types: [], noEmit: true }
  const settings = { 'package.json': { type: 'module' }, 'tsconfig.json': { compilerOptions } }
  const project = folderWith({ ...settings, ...files })
  await linkPackages(project)
  return project
}

const misspelled = "import { decimal } from 'purveyor'\n\ndecimal('1').nonsense()\n"

const ownServer = `import { createServer } from 'node:http'
import type { Provider } from 'purveyor'

export function serve(provider: Provider) {
  // @ts-expect-error a function
  const none: undefined = provider.router
  return [createServer(provider.router), provider.server(provider.router), none]
}
`

const routers = `import express, { Router } from 'express'
import type { Provider } from 'purveyor'

export const mount = (provider: Provider) =>
  express().use(provider.router).use('/checkout', provider.router).use(Router().use(provider.router))
`

test('the templates have the same rules of TypeScript', () => {
  const rules = templates.map((template) => read(`templates/${template}/tsconfig.json`))
  expect(rules[0]).toContain('"strict": true')
  expect(new Set(rules).size).toBe(1)
})

test('a new project has the compiler and the types of Node that Purveyor is tested with', () => {
  for (const template of templates) {
    const { scripts, devDependencies } = JSON.parse(read(`templates/${template}/package.json`))
    expect(devDependencies.typescript).toBe(manifest.devDependencies.typescript)
    expect(devDependencies['@types/node']).toBe('^24.0.0')
    expect([scripts.typecheck, scripts.test]).toEqual(['tsc', 'npm run -s typecheck && node --test'])
  }
})

// One run of the compiler for all of it: it takes longer than the rest.
test('templates, and routers in an app with the types of Express, compile with the declarations of all packages, and mistakes do not', async () => {
  const app = { 'app.ts': read('examples/mounted/app.ts'), 'routers.ts': routers }
  const folder = folderWith({ ...app, 'sum.ts': misspelled, 'serve.ts': ownServer })
  await linkPackages(folder, ['@types/node', '@types/express'])
  for (const template of templates)
    await purveyor(`init ${join(folder, template)} --template ${template} --no-install`)
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(folder, 'full', file), join(folder, file))
  writeFileSync(join(folder, 'wrong-options.ts'), read('test/wrong-options.ts'))
  expect(await faults(folder)).toBe(
    "sum.ts(3,14): error TS2339: Property 'nonsense' does not exist on type 'Big'.\n",
  )
})

test('every entry point compiles in a project without packages and types of its own', async () => {
  const paths = Object.keys(manifest.exports).filter((path) => path !== './package.json')
  expect(paths.length).toBeGreaterThan(5)
  const files: Record<string, string> = {}
  for (const path of paths)
    files[`${path.replace(/\W/g, '') || 'index'}.ts`] = `export * from '${join('purveyor', path)}'\n`
  expect(await faults(await bareProject(files))).toBe('')
})
