// `npm run -s release -- 0.2.0`: tests, sets the version, dates the changelog, packs both packages, commits and tags. It publishes nothing.
// With `--dry-run` it sets the version and packs, says what a release would do, and leaves nothing behind.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Packed, packBoth } from './pack.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [version = '', ...more] = process.argv.slice(2)
const isDry = more[0] === '--dry-run'
const heading = `## ${version} (unreleased)`

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(root, file), text)
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })

/** Why this version cannot be released. */
function refusal(): string | undefined {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version) || more.length > (isDry ? 1 : 0))
    return 'name the version by three numbers: npm run -s release -- 0.2.0 [--dry-run]'
  const { version: present } = JSON.parse(read('package.json'))
  if (isLower(version, present)) return `${version} is lower than ${present}, the version in package.json`
  const tags = git('tag', '--list', 'v*').split('\n').filter(Boolean)
  const released = tags.map((tag) => tag.slice(1)).find((one) => !isLower(one, version))
  if (released) return `${version} is not higher than ${released}, which is released`
  if (git('status', '--porcelain') !== '') return 'files have changed: commit or stash them (git status)'
  const section = read('CHANGELOG.md')
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(`${heading}\n`))
  if (!section?.split('\n').some((line) => line && !line.startsWith('#')))
    return `CHANGELOG.md has no section "${heading}" with text: write down what the version brings`
  return isDry ? undefined : unpublishable()
}

const isLower = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0

/** npm compares the repository with the one that a package is published from. */
function unpublishable(): string | undefined {
  const manifest = JSON.parse(read('package.json'))
  const missing = ['repository', 'homepage', 'bugs'].filter((field) => !manifest[field])
  if (missing.length === 0) return undefined
  return `package.json has no ${missing.join(', ')}: fill in the addresses of the public repository there, for both packages`
}

/** Sets the version and the date, and packs into a folder. */
function makePackages(to: string): Packed[] {
  const { atime, mtime } = statSync(join(root, 'package-lock.json'))
  const args = ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts']
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  // No dependency changed, so the build has none to install (install.mjs).
  utimesSync(join(root, 'package-lock.json'), atime, mtime)
  const today = new Date().toISOString().slice(0, 10)
  write('CHANGELOG.md', read('CHANGELOG.md').replace(heading, `## ${version} (${today})`))
  return packBoth(root, to)
}

/** Runs the work and puts the files back that a release changes, unless it returns true. */
function undoing(work: () => boolean): void {
  const files = ['package.json', 'package-lock.json', 'CHANGELOG.md']
  const before = files.map((file) => [file, read(file)] as const)
  const { atime, mtime } = statSync(join(root, 'package-lock.json'))
  // Ctrl-C ends the program that runs, and so the work.
  process.on('SIGINT', () => {})
  let isDone = false
  try {
    isDone = work()
  } finally {
    if (!isDone) {
      for (const [file, text] of before) write(file, text)
      utimesSync(join(root, 'package-lock.json'), atime, mtime)
    }
  }
}

function release(): boolean {
  execFileSync('npm', ['test'], { cwd: root, stdio: 'inherit' })
  const packed = makePackages(root)
  git('commit', '--quiet', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`)
  console.log(
    `Committed and tagged v${version}. Push both, then publish where npm knows the repository's CI:`,
  )
  for (const { filename } of packed) console.log(`  npm publish ${filename}`)
  return true
}

function dryRun(): boolean {
  const to = mkdtempSync(join(tmpdir(), 'purveyor-release-'))
  try {
    for (const { filename, size, unpackedSize } of makePackages(to))
      console.log(`Packed ${filename}: ${size} bytes, ${unpackedSize} unpacked`)
  } finally {
    rmSync(to, { recursive: true })
  }
  console.log(`A release would run npm test first, keep version ${version} in package.json and package-lock.json and the date in CHANGELOG.md,
commit them, and tag v${version}. This was a dry run: it left nothing behind.`)
  const reason = unpublishable()
  if (reason) console.log(`A release would be refused now: ${reason}.`)
  return false
}

const refused = refusal()
if (refused) {
  console.error(`release: ${refused}.`)
  process.exitCode = 2
} else undoing(isDry ? dryRun : release)
