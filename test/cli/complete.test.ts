import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { offerFor } from '../../src/cli/complete.ts'
import { commandsIn, folderWith, main, providerSource } from './command.ts'

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
    ['check --only=p', ['--only=payments']],
    // As bash takes `--only=p` apart.
    ['check --only = p', ['payments']],
    ['check --only =', ['rates', 'payments']],
    ['check --case tls webhook-bo', ['webhook-body']],
    ['check --case tls --rea', ['--read-only']],
    ['check ', []],
    ['rates lint ', 'files'],
    ['rates diff old.csv ', 'files'],
    ['shop list --provider ', 'files'],
    ['simulate run --seed ', 'files'],
    ['dev --port ', []],
    ['serve --tun', []],
    ['serve --provider ', 'files'],
    ['rates preview ', 'files'],
    ['explain HOST_NOT', ['HOST_NOT_ALLOWED']],
    ['docs pay', ['payment-page', 'payments']],
    ['simulate run paid webhook-l', ['webhook-limited', 'webhook-late']],
    ['lanes show web', ['webhook']],
    ['lanes show st', ['starts']],
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
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, PURVEYOR_DATABASE_URL: '' }
  const out = execFileSync('bash', ['--norc', '-c', script], { cwd, env, encoding: 'utf8' })
  return out.split('\n').filter((line) => line !== '')
}

/** Lets bash complete the last of these words, and prints what it offers. */
const completing = (...words: string[]) =>
  `COMP_WORDS=(purveyor ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _purveyor; printf '%s\\n' "\${COMPREPLY[@]}"`

test('in bash: commands, options, values, and the shops of a store', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  for (const shop of ['bikes', 'boats', 'cars']) await commandsIn(cwd)(`shop add ${shop}`)
  const asked = ['shop|sh', 'check|x|--only|=|', 'shop|show|b', 'webhooks|list|--shop|c', 'rates|lint|ta']
  const script = [
    'source <(purveyor completion bash)',
    ...asked.flatMap((words) => [completing(...words.split('|')), 'echo --']),
    'complete -p purveyor',
  ]
  const lines = inBash(script.join('\n'), cwd)
  const offered = ['show', 'rates\npayments', 'bikes\nboats', 'cars', '']
  expect(lines.join('\n')).toBe(`${offered.join('\n--\n')}--\ncomplete -F _purveyor purveyor`)
})

test('where nothing is known it prints nothing, and creates no store', async () => {
  for (const cwd of [folderWith(), folderWith({ 'data/purveyor.db': 'not a database' })])
    expect(await commandsIn(cwd)('complete -- shop show', '')).toEqual({ code: 0, out: '', err: '' })
})
