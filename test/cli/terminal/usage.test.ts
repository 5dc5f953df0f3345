import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { repository } from '../../journey/project.ts'
import { folderWith, main, providerSource, purveyor, saying } from '../command.ts'
import { commandNames } from '../command-names.ts'

const commands = [[], ...(await commandNames())]

describe.concurrent('usage', () => {
  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8'))
    expect(await purveyor(['--version'])).toEqual({
      code: 0,
      signal: null,
      stdout: `${version}\n`,
      stderr: '',
    })
  })

  test('these are all commands', async () => {
    const { stdout } = await purveyor(['--help'])
    const [, listed = ''] = stdout.split('Build and try:\n')
    const names = [...listed.split('Examples:')[0]!.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)
    expect(names.filter((name) => name !== 'help')).toEqual([
      ...new Set(commands.flatMap(([name]) => name ?? [])),
    ])
    expect(stdout.match(/^[A-Z][\w ]+:$/gm)).toEqual([
      'Options:',
      'Build and try:',
      'Run and look after:',
      'Shops:',
      'Payments and calls:',
      'Read on:',
      'Examples:',
    ])
  })

  test.for(commands)('%s explains itself with --help', async (command) => {
    const { code, stdout, stderr } = await purveyor([...command, '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Usage: ${['purveyor', ...command].join(' ')} `)
    expect(stdout).toMatch(/\n\nExamples:\n(?: {2}.*purveyor .*\n)+$/)
  })

  const retired = 'shipment'
  test.for<[line: string, words: string]>([
    ['nope', "purveyor: unknown command 'nope'\n(Did you mean nodes?)\nHelp: purveyor --help\n"],
    ['sevre', '(Did you mean serve?)'],
    ['check', "purveyor: missing required argument 'urlEndpoint'\nHelp: purveyor check --help\n"],
    [
      'shop hosts ad',
      "purveyor: unknown command 'ad'\n(Did you mean add?)\nHelp: purveyor shop hosts --help\n",
    ],
    ['serve --prot 1', '(Did you mean --port?)\nHelp: purveyor serve --help\n'],
    ['completion tcsh', "'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish."],
    [
      `sandbox --for ${retired}`,
      "argument 'shipment' is invalid. Allowed choices are rates, payments.\nHelp: purveyor sandbox --help\n",
    ],
    [
      'simulate run paid --for rates payment',
      "argument 'payment' is invalid. Allowed choices are rates, payments.",
    ],
    ['serve --nope', "unknown option '--nope'"],
    ['check http://127.0.0.1:1/ --country xx', 'country xx is not a country'],
    ['check http://127.0.0.1:1/ --currency eux', 'A code of ISO 4217, such as eur.'],
    ['simulate run --all --country de --zipcode 1016GV', 'zipcode "1016GV" cannot be one of'],
    ['simulate order --country uk', 'country uk is not a country: write gb'],
    ['services register x --name x --estimates maybe', 'Allowed choices are on, off.'],
    ['serve one.ts', 'too many arguments'],
    ['serve --port 65536', 'A port is a whole number from 0 to 65535'],
    ['dev --port 80.5', 'A port is a whole number from 0 to 65535'],
    ['dev --provider nowhere.ts', 'There is no file nowhere.ts'],
    ['serve --provider nowhere.ts', 'There is no file nowhere.ts'],
    [
      'simulate run paid --endpoint http://127.0.0.1:1/ --provider p.ts',
      "option '--endpoint <url>' cannot be used with option '--provider <file>'",
    ],
    [
      'serve',
      'There is no provider.ts here. Name the file that exports your provider with --provider, or create one with `purveyor init`.',
    ],
    ['', 'Usage: purveyor'],
  ])('%s is wrong usage', async ([line, words]) => {
    const { code, stdout, stderr } = await purveyor(line ? line.split(' ') : [])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
    expect([code, stdout]).toEqual([2, ''])
  })
})

test('in a folder that is gone a command says so and ends', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const script = `rm -r "$PWD" && exec "$@"`
  const ended = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, main, 'db', 'migrate'], {
      cwd,
      timeout: 300_000,
      killSignal: 'SIGKILL',
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('close', (code) => resolve({ code, stderr }))
  })
  expect(ended).toMatchObject(saying(3, /cannot be opened|no such file|uv_cwd/i))
})
