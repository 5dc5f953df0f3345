import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../folder.ts'
import { cleanEnv, node, repository, run } from '../../journey/project.ts'

/** Stands for npm: notes each call, and makes what a build makes. */
const fakeNpm = `import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'

const args = process.argv.slice(2)
const isBuild = args.includes('build')
appendFileSync(process.env.CALLS, JSON.stringify({ cwd: process.cwd(), args, isBuilt: existsSync(process.env.BUILT) }) + '\\n')
if (isBuild && process.env.BUILD_FAILS) process.exit(1)
if (isBuild) {
  mkdirSync('dist/cli', { recursive: true })
  writeFileSync('dist/cli/main.js', '')
}
`

/** A checkout without dist/, in a folder with a space. */
function checkoutIn(folder: string): string {
  const checkout = join(folder, 'the checkout')
  mkdirSync(checkout)
  for (const part of ['src', 'templates', 'package.json'])
    cpSync(join(repository, part), join(checkout, part), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(checkout, 'node_modules'))
  return checkout
}

async function initIn(checkout: string, cwd: string, args: string[], more: Record<string, string> = {}) {
  const calls = join(cwd, 'calls')
  writeFileSync(calls, '')
  const built = join(checkout, 'dist/cli/main.js')
  const env = cleanEnv({ npm_execpath: join(cwd, 'npm.mjs'), CALLS: calls, BUILT: built, ...more })
  const words = [join(checkout, 'src/cli/main.ts'), 'init', ...args, '-y']
  const { stdout, stderr, code } = await run(node, words, { cwd, env }).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  )
  const called = (readFileSync(calls, 'utf8').match(/.+/g) ?? []).map(
    (line) => JSON.parse(line) as { cwd: string; args: string[]; isBuilt: boolean },
  )
  const steps = [...stdout.matchAll(/^ {2}(.*)$/gm)].map(([, step]) => step!.trim())
  return { steps, stderr, code, called }
}

describe('init from a checkout', () => {
  const cwd = folderWith({ 'npm.mjs': fakeNpm })
  const checkout = checkoutIn(cwd)

  test('a build that fails ends it with the remedy, before anything is written', async () => {
    const { code, stderr, called } = await initIn(checkout, cwd, ['shop'], { BUILD_FAILS: '1' })
    expect([code, called.length, existsSync(join(cwd, 'shop'))]).toEqual([3, 1, false])
    expect(stderr).toContain(`Run npm --prefix '${checkout}' run build, then init again.`)
  })

  test('without npm it prints the steps in the order in which they work, as a shell takes them', async () => {
    const { called, steps } = await initIn(checkout, cwd, ['My Carrier', '--no-install'])
    expect(called).toEqual([])
    expect(steps).toEqual([
      `npm --prefix 'the checkout' run build`,
      `cd 'My Carrier'`,
      'npm install',
      'npm run dev',
    ])
  })

  test('it builds the checkout before npm links its commands into the project', async () => {
    const { code, called, steps } = await initIn(checkout, cwd, ['carrier'])
    expect(code).toBe(0)
    expect(called.map(({ cwd: folder, args, isBuilt }) => [folder, args.at(-1), isBuilt])).toEqual([
      [checkout, 'build', false],
      [join(cwd, 'carrier'), '--loglevel=error', true],
    ])
    expect(steps).toEqual(['cd carrier', 'npm run dev'])
  })

  test('one that is built is not built again, and a script of npm prints steps for where npm was called', async () => {
    const below = { INIT_CWD: join(cwd, 'carrier') }
    const { called, steps } = await initIn(checkout, cwd, ['other'], below)
    expect(called).toHaveLength(1)
    expect(steps).toEqual(['cd ../other', 'npm run dev'])
  })
})
