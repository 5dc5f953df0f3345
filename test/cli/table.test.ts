import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command as Program } from 'commander'
import { describe, expect, test } from 'vitest'
import { addCommand, examplesOf } from '../../src/cli/build.ts'
import { type Command, oneOf, parsed, plain } from '../../src/cli/table.ts'
import { repository } from '../journey/project.ts'
import { commandsIn, saying } from './command.ts'
import { commandNames, loadCommands } from './command-names.ts'
import { misunderstood, wordsOf } from './understand.ts'

const page = readFileSync(join(repository, 'docs/commands.md'), 'utf8')
const rows = [...page.matchAll(/^\| `purveyor ([^`]+)` +\| (.+?) +\|$/gm)].map(([, call, text]) => ({
  path: call!.split(' ').filter((word) => /^[a-z-]+$/.test(word)),
  flags: [...`${call} ${text}`.matchAll(/--[a-z-]+/g)].map(([flag]) => flag),
  names: [...text!.matchAll(/`([a-z-]+)/g)].map(([, name]) => name),
}))
const commands = await loadCommands()

/** The command that these words name, and how many of them do: the rest are arguments. */
function find([first = '', ...rest]: string[], among: Readonly<Record<string, Command>>) {
  const path = [first]
  let command = among[first]
  for (const word of rest) {
    if (!command?.commands?.[word]) break
    command = command.commands[word]
    path.push(word)
  }
  return { command, path: path.join(' ') }
}

const allFlags = ({ options = {}, commands: below = {} }: Command): string[] => [
  ...Object.keys(options).flatMap((written) => written.match(/--[a-z-]+/g) ?? []),
  ...Object.values(below).flatMap(allFlags),
]

describe('the table of commands in docs/commands.md', () => {
  test.for(rows)('names a command that can be run, and options that it has: $path', ({ path, flags }) => {
    expect(find(path, commands).command?.run).toBeTypeOf('function')
    const known = allFlags(commands[path[0]!]!)
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([])
  })

  test('names every command', async () => {
    const named = rows.flatMap(({ path, names }) => {
      const own = find(path, commands).path
      const group = own.split(' ').slice(0, own.includes(' ') ? -1 : 1)
      return [own, ...names.map((name) => [...group, name].join(' '))]
    })
    const runnable = (await commandNames()).filter((path) => find(path, commands).command?.run)
    expect(runnable.length).toBeGreaterThan(50)
    expect(runnable.map((path) => path.join(' ')).filter((path) => !named.includes(path))).toEqual([])
  })
})

test('every command, argument and option has a description of one line, and no command is empty', async () => {
  for (const path of await commandNames()) {
    const { command } = find(path, commands)
    const words = Object.values({ ...command!.arguments, ...command!.options })
    const texts = words.map((one) => (typeof one === 'string' ? one : one.description))
    for (const text of [command!.description, ...texts]) expect(text).toMatch(/^[\w"`'].*[^.]$/)
    expect(Boolean(command!.run) || Boolean(command!.commands)).toBe(true)
  }
})

test('the help of every command has examples: calls of that very command', async () => {
  for (const path of await commandNames()) {
    const examples = examplesOf(find(path, commands).command!)
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
