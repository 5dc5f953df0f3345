import { Command as Program } from 'commander'
import { expect, test } from 'vitest'
import { addCommand, examplesOf } from '../../src/cli/build.ts'
import { type Command, oneOf, parsed, plain } from '../../src/cli/table.ts'
import { commandsIn, saying } from './command.ts'
import { commandNames, loadCommands } from './command-names.ts'
import { misunderstood, wordsOf } from './understand.ts'

const commands = await loadCommands()

/** The command that these words name. */
const find = ([first = '', ...rest]: string[]): Command | undefined =>
  rest.reduce<Command | undefined>((command, word) => command?.commands?.[word], commands[first])

test('every command, argument and option has a description of one line, and no command is empty', async () => {
  for (const path of await commandNames()) {
    const command = find(path)
    const words = Object.values({ ...command!.arguments, ...command!.options })
    const texts = words.map((one) => (typeof one === 'string' ? one : one.description))
    for (const text of [command!.description, ...texts]) expect(text).toMatch(/^[\w"`'].*[^.]$/)
    expect(Boolean(command!.run) || Boolean(command!.commands)).toBe(true)
  }
})

test('the help of every command has examples: calls of that very command', async () => {
  for (const path of await commandNames()) {
    const examples = examplesOf(find(path)!)
    expect(examples.length, path.join(' ')).toBeGreaterThan(0)
    for (const line of examples) {
      const [, call = ''] = /\bpurveyor ([^|)]+)/.exec(line) ?? []
      expect(`${call} `).toMatch(new RegExp(`^${path.join(' ')} `))
      expect(await misunderstood(commands, wordsOf(call)), call).toBeUndefined()
    }
  }
})

test('the function of a command gets arguments and options by their names, in the types that the table gives them', async () => {
  interface Expected {
    file: string
    names: string[]
    dryRun?: boolean
    check: boolean
    limit: number
    shade?: 'light' | 'dark'
    host?: string[]
    key: string
  }
  const lines: Expected[] = []
  const one = plain({
    description: 'try',
    arguments: { '<file>': 'a file', '[names...]': 'names' },
    options: {
      '-n, --dry-run': 'nothing changes',
      '--no-check': 'no test',
      '--limit <number>': parsed('how many', Number, { default: 50 }),
      '--shade <shade>': oneOf('which', ['light', 'dark']),
      '--host <name...>': 'hosts',
      '--key <key>': { description: 'a key', required: true },
    },
    run(given) {
      lines.push(given)
      // @ts-expect-error: no option gives it
      expect(given.all).toBeUndefined()
      // @ts-expect-error: it may be missing
      const hosts: string[] = given.host
      return hosts
    },
  })
  const program = new Program('purveyor')
  addCommand(program, 'one', one)
  await program.parseAsync(['one', 'a.csv', '--key', 'k'], { from: 'user' })
  const more = ['b', '-n', '--no-check', '--shade', 'dark', '--key', 'k', '--host', 'x', 'y']
  await program.parseAsync(['one', 'a.csv', ...more], { from: 'user' })
  expect(lines).toEqual([
    { file: 'a.csv', names: [], check: true, limit: 50, key: 'k' },
    {
      ...{ file: 'a.csv', names: ['b'], dryRun: true, check: false, limit: 50, shade: 'dark' },
      ...{ host: ['x', 'y'], key: 'k' },
    },
  ])
})

test('an address in a variable of the environment is checked as that of an option', async () => {
  for (const [variable, line] of [
    ['PURVEYOR_PUBLIC_URL', 'openapi'],
    ['PURVEYOR_SANDBOX_URL', 'sandbox switches'],
  ] as const) {
    const says = `${variable} holds no http or https address: shop.example`
    expect(await commandsIn(undefined, { [variable]: 'shop.example' })(line)).toMatchObject(saying(2, says))
  }
})
