import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { offerFor } from '../../src/cli/complete.ts'
import { commandsIn, folderWith, main } from './command.ts'

const valuesOf = async (...words: string[]): Promise<string[] | string> => {
  const offer = await offerFor(words)
  return offer === 'files' ? offer : offer.map(({ value }) => value)
}

describe('what a shell offers for the last word', () => {
  const shop =
    'add import list show rotate log drift bind settings disable enable remove privacy erase connect hosts'
  test.for<[string, string[] | 'files']>([
    ['ch', ['check', 'charges']],
    ['--v', ['--version']],
    ['shop ', shop.split(' ')],
    ['shop hosts co', ['confirm']],
    ['shop rotate bikes --w', ['--webhook-secret']],
    ['check https://provider.example/e/x --only ', ['rates', 'payments']],
    ['check --case tls --rea', ['--read-only']],
    ['check ', 'files'],
    ['rates lint ', 'files'],
    ['shop list --provider ', 'files'],
    ['serve --tun', []],
    ['lanes show web', ['webhook']],
    ['lanes list --kind st', ['starts']],
    ['payments list --status pa', ['paid']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['nope ', []],
    ['constructor ', []],
    ['shop nope ', []],
  ])('%j', async ([line, offered]) => {
    expect(await valuesOf(...line.split(' '))).toEqual(offered)
  })

  test('what only scripts call is not offered', async () => {
    expect(await valuesOf('')).toContain('completion')
    expect(await valuesOf('')).not.toContain('complete')
  })
})

/** What a shell prints that loads the script, with `purveyor` in its path. */
function inBash(script: string, cwd: string): string[] {
  const bin = folderWith()
  writeFileSync(join(bin, 'purveyor'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(join(bin, 'purveyor'), 0o755)
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const out = execFileSync('bash', ['--norc', '-c', script], { cwd, env, encoding: 'utf8' })
  return out.split('\n').filter((line) => line !== '')
}

/** Lets bash complete the last of these words, and prints what it offers. */
const completing = (...words: string[]) =>
  `COMP_WORDS=(purveyor ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _purveyor; printf '%s\\n' "\${COMPREPLY[@]}"`

test('in bash: commands, options and values', async () => {
  const script = [
    'source <(purveyor completion bash)',
    ...['shop|sh', 'check|x|--only|', 'rates|lint|ta'].flatMap((words) => [
      completing(...words.split('|')),
      'echo --',
    ]),
    'complete -p purveyor',
  ]
  const lines = inBash(script.join('\n'), folderWith())
  const offered = ['show', 'rates\npayments', '']
  expect(lines.join('\n')).toBe(`${offered.join('\n--\n')}--\ncomplete -F _purveyor purveyor`)
})

test('where nothing is known it prints nothing', async () => {
  expect(await commandsIn(folderWith())('complete -- shop nope', '')).toEqual({ code: 0, out: '', err: '' })
})
