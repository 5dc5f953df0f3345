import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { readPage } from '../../.ci/docs/page.ts'
import { folderWith } from '../folder.ts'
import { cleanEnv, end, repository, run } from '../journey/project.ts'
import { sized } from '../long.ts'

/** What a reader has after `npm test` has installed what it needs: the files of the repository, and the Node and npm of the system. */
let desk: string
let clone: string
/** The first project, which README makes. */
let project: string
/** Ends what hangs: an installation, a build and three projects, on a slow machine. */
const anHour = 3_600_000
const env = cleanEnv({ PORT: '0' })

beforeAll(() => {
  desk = folderWith()
  clone = join(desk, 'purveyor')
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { cwd: repository, encoding: 'utf8' })
  for (const file of listed.split('\0').filter((one) => one !== '' && existsSync(join(repository, one))))
    cpSync(join(repository, file), join(clone, file))
  execFileSync('cp', ['-al', join(repository, 'node_modules'), clone])
  // Older than what it installed.
  utimesSync(join(clone, 'package-lock.json'), 0, 0)
})

/** The commands of a page, in its order. */
const commandsOf = (page: string): string[] =>
  readPage(page)
    .blocks.filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .map((line) => line.replace(/\s+#.*/, '').trim())
    .filter((line) => line !== '')

/** Types commands of a page into one shell. Resolves with the folder in which it ends. */
async function typeIn(page: string, cwd: string, commands = commandsOf(page)): Promise<string> {
  expect(commands.length, page).toBeGreaterThan(0)
  for (const command of commands) {
    const [word, folder] = command.split(' ')
    if (word === 'cd') cwd = resolve(cwd, folder!)
    else if (['npm start', 'npm run dev'].includes(command)) await startAndStop(command, cwd)
    else {
      expect(needsPublished(command, cwd), `${page}: ${command} needs a published package`).toBe(false)
      await run('sh', ['-c', shortened(command, cwd)], { cwd, env }).catch(({ stdout, stderr }) => {
        throw new Error(`${page}: ${command} failed\n${stdout}\n${stderr}`)
      })
    }
  }
  return cwd
}

/** Nothing is published yet: a registry has no package of this name, or one that is not ours. */
const needsPublished = (command: string, cwd: string): boolean =>
  /^npm (create|init|install|i) .*\bpurveyor\b/.test(command) ||
  (/^npx .*\bpurveyor\b/.test(command) && !existsSync(join(cwd, 'node_modules/.bin/purveyor')))

/** All tests of the checkout are what runs this one. */
const shortened = (command: string, cwd: string): string =>
  command === 'npm test' && cwd === clone ? 'npm test -- test/money/amount.price.test.ts' : command

/** Starts what goes on until Ctrl+C, opens the shop that it prints, and presses Ctrl+C. */
async function startAndStop(command: string, cwd: string): Promise<void> {
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  try {
    await vi.waitUntil(() => said.includes('Ctrl+C stops.') || child.exitCode !== null, { timeout: anHour })
    expect(said, command).toContain('Ctrl+C stops.')
    const [, shop = ''] = /Shop +(\S+)/.exec(said)!
    expect(await (await fetch(shop)).text()).toContain('Checkout')
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    process.kill(-child.pid!, 'SIGINT')
    // The shell of npm ends by the signal itself, after our process has ended with 0.
    expect([0, 'SIGINT'], said).toContain((await ended).find((one) => one !== null))
    await vi.waitUntil(() => !isRunning(-child.pid!), { timeout: 60_000 })
  } finally {
    await end(child, 'SIGKILL')
  }
}

/** Whether a process, or one of a group whose number is negative, is there. */
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

test(
  'README works on a fresh clone, command by command, and docs/start.md goes on from it',
  async () => {
    const readme = join(clone, 'README.md')
    const start = join(clone, 'docs/start.md')
    const commands = commandsOf(readme)
    expect(commands.slice(0, 2)).toEqual(['npm start', 'npm test'])
    project = await typeIn(readme, clone)
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toContain(`"file:${clone}"`)
    const [rest, same] = [commandsOf(start).slice(3), commandsOf(start).slice(0, 3)]
    expect(same).toEqual(commands.slice(2))
    await typeIn(start, project, rest)
  },
  anHour,
)

const templates = ['rates', 'full', 'payments'] as const
test('the READMEs of all templates have the same commands', () => {
  const [one, ...others] = templates.map((name) => commandsOf(join(clone, `templates/${name}/README.md`)))
  for (const other of others) expect(other).toEqual(one)
})

// The tests of the others run in test/journey/journey.test.ts.
test.each(templates.slice(0, sized(1, 3)))(
  'the README of template %s works in a new project',
  async (template) => {
    const folder = join(desk, template)
    mkdirSync(folder)
    const init = `npm run -s purveyor -- init ../${template} --template ${template} -y --no-install`
    await run('sh', ['-c', init], { cwd: clone, env })
    // The first project has installed the same packages: npm finds out what is missing.
    execFileSync('cp', ['-al', join(project, 'node_modules'), folder])
    await typeIn(join(folder, 'README.md'), folder)
  },
  anHour,
)

test.each([
  [
    'an old Node',
    ['--import', `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.4'})`],
    'Purveyor needs Node 20 or newer, and this is Node 18.20.4. Install a newer one.',
  ],
  [
    'no network',
    [],
    'npm needs its registry: check the network, or `npm config get proxy`. Then run the same command again.',
  ],
])('%s is one sentence with the remedy', async (_what, options, sentence) => {
  const dependencies = { left: '1.0.0' }
  const left = { version: '1.0.0', resolved: 'http://127.0.0.1:9/left.tgz' }
  const packages = { '': { dependencies }, 'node_modules/left': left }
  const lock = { lockfileVersion: 3, packages }
  const folder = folderWith({ 'package.json': { dependencies }, 'package-lock.json': lock }, desk)
  cpSync(join(clone, '.ci/install.mjs'), join(folder, '.ci/install.mjs'))
  const nowhere = { npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(folder, 'cache') }
  const where = { cwd: folder, env: { ...env, ...nowhere, npm_config_fetch_retries: '0' } }
  const installing = run('node', [...options, '.ci/install.mjs'], where)
  await expect(installing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  expect(existsSync(join(folder, 'node_modules'))).toBe(false)
})
