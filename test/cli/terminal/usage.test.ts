import { describe, expect, test } from 'vitest'
import { manifest, run as runAlone } from '../../journey/project.ts'
import { commandsIn, folderWith, main, providerSource, purveyor } from '../command.ts'
import { commandNames } from '../command-names.ts'

const run = commandsIn()
const commands = [[], ...(await commandNames())]

describe.concurrent('usage', () => {
  test('--version prints the version of the package', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: manifest.version, err: '' })
  })

  test('these are all commands', async () => {
    const out = await run.out('--help')
    const [, listed = ''] = out.split('Build and try:\n')
    const names = [...listed.split('Examples:')[0]!.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)
    const all = new Set(commands.flatMap(([name]) => name ?? []))
    expect(names.filter((name) => name !== 'help')).toEqual([...all])
    expect(out.match(/^[A-Z][\w ]+:$/gm)).toEqual([
      ...['Options:', 'Build and try:', 'Run and look after:', 'Shops:'],
      ...['Payments and calls:', 'Read on:', 'Examples:'],
    ])
  })

  test.for(commands)('%s explains itself with --help', async (command) => {
    const { code, out, err } = await run([...command, '--help'].join(' '))
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Usage: ${['purveyor', ...command].join(' ')} `)
    expect(out).toMatch(/\n\nExamples:(?:\n {2}.*purveyor .*)+$/)
  })

  const retired = 'shipment'
  const both = 'Allowed choices are rates, payments.'
  test.for<[line: string, words: string]>([
    ['nope', "purveyor: unknown command 'nope'\n(Did you mean nodes?)\nHelp: purveyor --help\n"],
    ['sevre', '(Did you mean serve?)'],
    ['check', "purveyor: missing required argument 'urlEndpoint'\nHelp: purveyor check --help\n"],
    [
      'shop hosts ad',
      "purveyor: unknown command 'ad'\n(Did you mean add?)\nHelp: purveyor shop hosts --help",
    ],
    ['serve --prot 1', '(Did you mean --port?)\nHelp: purveyor serve --help\n'],
    ['completion tcsh', "'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish."],
    [`sandbox --for ${retired}`, `argument 'shipment' is invalid. ${both}\nHelp: purveyor sandbox --help\n`],
    ['simulate run paid --for rates payment', `argument 'payment' is invalid. ${both}`],
    ['serve --nope', "unknown option '--nope'"],
    ['check http://127.0.0.1:1/ --country xx', 'country xx is not a country'],
    ['check http://127.0.0.1:1/ --currency eux', 'Write a code of ISO 4217, such as eur.'],
    ['simulate run --all --country de --zipcode 1016GV', 'zipcode "1016GV" cannot be one of'],
    ['simulate order --country uk', 'country uk is not a country: write gb'],
    ['services register x --name x --estimates maybe', 'Allowed choices are on, off.'],
    ['serve one.ts', 'too many arguments'],
    ['serve --port 65536', 'A port is a whole number from 0 to 65535'],
    ['dev --port 80.5', 'A port is a whole number from 0 to 65535'],
    ['dev --provider nowhere.ts', 'nowhere.ts is not there'],
    ['serve --provider nowhere.ts', 'nowhere.ts is not there'],
    [
      'simulate run paid --endpoint http://a/ --provider p.ts',
      "option '--endpoint <url>' cannot be used with option '--provider <file>'",
    ],
    [
      'serve',
      'There is no provider.ts here. Name the file that exports your provider with --provider, or create one with `purveyor init`.',
    ],
    ['', 'Usage: purveyor'],
  ])('%s is wrong usage', async ([line, words]) => {
    const { code, stdout, stderr } = await purveyor(line ? line : [])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
    expect([code, stdout]).toEqual([2, ''])
  })
})

test('in a folder that is gone a command says so and ends', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const args = ['-c', `rm -r "$PWD" && exec "$@"`, 'sh', process.execPath, main, 'db', 'migrate']
  const ended = runAlone('sh', args, { cwd, timeout: 300_000, killSignal: 'SIGKILL' })
  const stderr = expect.stringMatching(/cannot be opened|no such file|uv_cwd/i)
  await expect(ended).rejects.toMatchObject({ code: 3, stderr })
})
