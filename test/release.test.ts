import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packBoth } from '../.ci/pack.ts'
import { cleanEnv, repository, run } from './journey/project.ts'
import { stageBuild, stagePackage } from './journey/staged.ts'
import { linkCommands, linkDependencies } from './linked-project.ts'
import { isLong } from './long.ts'

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
const folder = mkdtempSync(join(tmpdir(), 'purveyor-release-test-'))
const copy = join(folder, 'repository')
const name = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
const git = (...args: string[]) => execFileSync('git', [...name, ...args], { cwd: copy, encoding: 'utf8' })

/** Runs the script in the copy, which is built: npm builds nothing there. */
function release(...args: string[]) {
  const env = cleanEnv({ npm_config_ignore_scripts: 'true' })
  const node = join(repository, 'node_modules/.bin/node')
  return spawnSync(node, ['.ci/release.ts', ...args], { cwd: copy, env, encoding: 'utf8' })
}

const refusal = (sentence: string) => ({ status: 2, stdout: '', stderr: `release: ${sentence}.\n` })
const commit = (file: string, text: string) => {
  writeFileSync(join(copy, file), text)
  git('commit', '--quiet', '--all', '--message', 'Change')
}

beforeAll(async () => {
  const left = new Set(['.git', 'node_modules', 'dist', 'data', 'test'])
  mkdirSync(copy)
  for (const part of readdirSync(repository))
    if (!left.has(part))
      cpSync(join(repository, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  // As long as nobody has filled these in.
  const {
    repository: _,
    homepage,
    bugs,
    ...manifest
  } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'))
  await stageBuild(join(copy, 'dist'))
  git('init', '--quiet')
  writeFileSync(join(copy, '.git/info/exclude'), 'node_modules\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Copy')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a dry run packs both packages, says what a release does and lacks, and leaves nothing behind', () => {
  const before = git('rev-parse', 'HEAD')
  const { status, stdout, stderr } = release(version, '--dry-run')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(
    /^Packed purveyor-[\d.]+\.tgz: \d+ bytes, \d+ unpacked\nPacked create-purveyor-[\d.]+\.tgz: /,
  )
  expect(stdout).toContain(`tag v${version}`)
  expect(stdout).toContain('left nothing behind')
  expect(stdout).toContain('would be refused now: package.json has no repository, homepage, bugs')
  expect([git('status', '--porcelain'), git('tag'), git('rev-parse', 'HEAD')]).toEqual(['', '', before])
  expect(readdirSync(copy).filter((file) => file.endsWith('.tgz'))).toEqual([])
})

test('a release names where the packages come from', () => {
  expect(release(version)).toMatchObject(
    refusal(
      'package.json has no repository, homepage, bugs: fill in the addresses of the public repository there, for both packages',
    ),
  )
})

test('a version that is none, is lower, or is released is refused', () => {
  const none = 'name the version by three numbers: npm run -s release -- 0.2.0 [--dry-run]'
  for (const args of [[], ['next'], ['v0.2.0'], ['0.2'], ['--dry-run'], [version, '--dry']])
    expect(release(...args), args.join(' ')).toMatchObject(refusal(none))
  expect(release('0.0.9', '--dry-run')).toMatchObject(
    refusal(`0.0.9 is lower than ${version}, the version in package.json`),
  )
  git('tag', 'v0.10.0')
  for (const lower of ['0.10.0', '0.9.0'])
    expect(release(lower, '--dry-run')).toMatchObject(
      refusal(`${lower} is not higher than 0.10.0, which is released`),
    )
  git('tag', '--delete', 'v0.10.0')
})

test('a version without a text in the changelog is refused', () => {
  const missing = (wanted: string) =>
    refusal(
      `CHANGELOG.md has no section "## ${wanted} (unreleased)" with text: write down what the version brings`,
    )
  expect(release('9.0.0', '--dry-run')).toMatchObject(missing('9.0.0'))
  const changelog = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8')
  commit('CHANGELOG.md', changelog.replace(/^## /m, '## 9.0.0 (unreleased)\n\n### Nothing yet\n\n## '))
  expect(release('9.0.0', '--dry-run')).toMatchObject(missing('9.0.0'))
  commit('CHANGELOG.md', changelog)
})

test('changed files are refused, and what fails after a change is undone', () => {
  writeFileSync(join(copy, 'notes.txt'), 'mine')
  expect(release(version, '--dry-run')).toMatchObject(
    refusal('files have changed: commit or stash them (git status)'),
  )
  rmSync(join(copy, 'notes.txt'))
  git('rm', '--quiet', 'LICENSE')
  git('commit', '--quiet', '--message', 'Change')
  const { status, stdout } = release(version, '--dry-run')
  expect([status, stdout]).toEqual([1, ''])
  expect(git('status', '--porcelain')).toBe('')
  git('reset', '--quiet', '--hard', 'HEAD~1')
})

test('a release commits and tags what it packs', () => {
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
  const home = {
    repository: 'github:example/purveyor',
    homepage: 'https://a.example',
    bugs: 'https://b.example',
  }
  const scripts = { ...manifest.scripts, test: 'node --version' }
  commit('package.json', `${JSON.stringify({ ...manifest, ...home, scripts }, null, 2)}\n`)
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.com')
  const changelog = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8')
  commit('CHANGELOG.md', changelog.replace(version, '9.1.0'))
  const { status, stdout } = release('9.1.0')
  expect([status, stdout]).toEqual([0, expect.stringContaining('npm publish create-purveyor-9.1.0.tgz\n')])
  expect([git('status', '--porcelain'), git('tag', '--points-at', 'HEAD')]).toEqual(['', 'v9.1.0\n'])
  for (const file of ['package.json', 'package-lock.json'])
    expect(JSON.parse(git('show', `v9.1.0:${file}`)).version).toBe('9.1.0')
  expect(git('show', 'v9.1.0:CHANGELOG.md')).toMatch(/^## 9\.1\.0 \(\d{4}-\d\d-\d\d\)$/m)
  const inside = (of: string) =>
    JSON.parse(execFileSync('tar', ['-xOzf', join(copy, of), 'package/package.json'], { encoding: 'utf8' }))
  expect(inside('purveyor-9.1.0.tgz').version).toBe('9.1.0')
  expect(inside('create-purveyor-9.1.0.tgz')).toMatchObject({
    ...home,
    version: '9.1.0',
    dependencies: { purveyor: '9.1.0' },
    publishConfig: { access: 'public', provenance: true },
  })
  expect(release('9.1.0')).toMatchObject(refusal('9.1.0 is not higher than 9.1.0, which is released'))
})

test('npm create purveyor makes a provider, from both packed files', async () => {
  const staged = join(folder, 'staged')
  await stagePackage(staged)
  const files = packBoth(staged, folder, ['--ignore-scripts']).map(({ filename }) => join(folder, filename))
  const project = join(folder, 'my-provider')
  const args = ['create-purveyor', 'my-provider', '--template', 'rates', '-y', '--no-install']
  if (isLong) {
    const packages = files.flatMap((file) => ['--package', file])
    await run('npx', ['--yes', ...packages, ...args], { cwd: folder, env: cleanEnv() })
  } else {
    // The folder that npx makes, with links to the packages that npm would install.
    const cache = join(folder, 'cache')
    linkDependencies(cache)
    for (const [at, own] of ['purveyor', 'create-purveyor'].entries()) {
      const to = join(cache, 'node_modules', own)
      mkdirSync(to)
      await run('tar', ['-xzf', files[at]!, '--strip-components=1', '-C', to])
    }
    linkCommands(cache, ['create-purveyor'])
    await run(join(cache, 'node_modules/.bin', args[0]!), args.slice(1), { cwd: folder, env: cleanEnv() })
  }
  const { name, dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  expect(name).toBe('my-provider')
  expect(dependencies.purveyor).toBe(isLong ? `file:${files[0]}` : `^${version}`)
  expect(readdirSync(project)).toContain('tariff.csv')
})
