import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { node } from '../journey/project.ts'
import { isLong } from '../long.ts'
import { commandsIn, folderWith, main } from './command.ts'

// A key is pressed in the shells themselves, which come from packages of Debian. Where those cannot be had, nothing is tested.

/** The root of unpacked packages; `undefined` where there are none. */
function unpacked(...packages: string[]): string | undefined {
  if (!isLong) return undefined
  const folder = folderWith()
  const root = join(folder, 'root')
  try {
    execFileSync('apt-get', ['download', ...packages], { cwd: folder, stdio: 'ignore', timeout: 60_000 })
    for (const file of globSync('*.deb', { cwd: folder }))
      execFileSync('dpkg-deb', ['-x', file, root], { cwd: folder })
    return root
  } catch {
    return undefined
  }
}

/** A folder with files to choose from and the command, as `npm install` puts it onto the path. */
async function workplace(shell: string) {
  const cwd = folderWith({ 'tariff.csv': '', 'bin/purveyor': '', script: '' })
  const command = join(cwd, 'bin/purveyor')
  writeFileSync(command, `#!/bin/sh\nexec '${node}' '${main}' "$@"\n`)
  chmodSync(command, 0o755)
  writeFileSync(join(cwd, 'script'), `${await commandsIn().out(`completion ${shell}`)}\n`)
  mkdirSync(join(cwd, 'home'))
  const own = { PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, HOME: join(cwd, 'home'), TERM: 'vt100' }
  return { cwd, env: { ...process.env, ...own } }
}

const fish = unpacked('fish', 'fish-common', 'libpcre2-32-0')
const zsh = unpacked('zsh', 'zsh-common')

describe.runIf(fish)('fish', async () => {
  const place = await workplace('fish')
  if (fish) mkdirSync(join(fish, 'usr/etc/fish'), { recursive: true })
  const libraries = globSync('usr/lib/*/', { cwd: fish ?? '/' }).map((path) => join(fish ?? '/', path))
  const offered = (line: string) => {
    const args = ['--no-config', '-C', 'source script', '-c', `complete -C '${line}'`]
    const env = { ...place.env, LD_LIBRARY_PATH: libraries.join(':') }
    const options = { ...place, env, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync(join(fish!, 'usr/bin/fish'), args, options)
    expect(stderr).toBe('')
    return stdout.trimEnd().split('\n')
  }

  test.each([
    ['purveyor sim', [expect.stringMatching(/^simulate\trun /)]],
    ['purveyor simulate order --status p', ['paid', 'pending']],
    ['purveyor simulate run --seed ta', ['tariff.csv']],
    ['purveyor nothing ', ['']],
    ['./nowhere/purveyor si', ['']],
  ])('%s', (line, words) => {
    expect(offered(line)).toEqual(words)
  })
})

/** Types into a terminal of its own, and prints what the shell shows after the key. */
const typing = `
root=$1
parts=($root/usr/lib/*/zsh/*(/))
module_path=($parts)
zmodload zsh/zpty
zpty shell "env COLUMNS=200 LINES=60 $root/bin/zsh -f -i"
zpty -w shell "module_path=($parts); fpath=($root/usr/share/zsh/functions/*(/) $root/usr/share/zsh/functions/*/*(/)); PS1=''; unset zle_bracketed_paste"
zpty -w shell "autoload -Uz compinit; compinit -u -D; LISTMAX=9999; setopt noautomenu; source script; print REA''DY"
local out part
integer tries=0
while [[ $out != *READY* ]] && (( tries++ < 300 )); do zpty -r -t shell part && out+=$part || sleep 0.05; done
zpty -w -n shell "$2"$'\\t'
out='' tries=0
while (( tries++ < 40 )); do zpty -r -t shell part && { out+=$part; tries=20 } || sleep 0.05; done
print -r -- $out
zpty -d shell
`

describe.runIf(zsh)('zsh', async () => {
  const place = await workplace('zsh')
  writeFileSync(join(place.cwd, 'typing'), typing)
  const shown = (line: string) => {
    const options = { ...place, encoding: 'utf8', timeout: 60_000 } as const
    const { stdout, stderr } = spawnSync(join(zsh!, 'bin/zsh'), ['-f', 'typing', zsh!, line], options)
    expect(stderr).toBe('')
    // Without what steers the terminal, and the bytes that give an old one time.
    return stripVTControlCharacters(stdout).replace(/[\s\p{C}]+/gu, ' ')
  }

  test.each([
    ['purveyor sim', /purveyor simulate $/],
    ['purveyor simulate ', / list -- list the scenarios order -- place one order .* run -- run scenarios/],
    ['purveyor simulate order --status ', / cancelled expired (?:pending paid|paid pending) (?!-- )/],
    ['purveyor simulate run --seed ta', /purveyor simulate run --seed tariff\.csv $/],
  ])('%s', (line, words) => {
    expect(shown(line)).toMatch(words)
  })
})

test('the shells of Debian are there where its packages are', () => {
  if (!isLong || !existsSync('/usr/bin/apt-get')) return
  expect([fish === undefined, zsh === undefined]).toEqual([false, false])
})
