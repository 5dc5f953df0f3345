import { expect, test } from 'vitest'
import { commandOf, commandsOf, oneOf, parsed } from '../../../src/cli/commands/command.ts'

// The types of a command's table are its test: `tsc` fails where one of these is accepted.

const lines: unknown[] = []
const note = (...given: unknown[]) => void lines.push(given)

const description = 'try'
const limit = parsed('how many', Number, { default: 50 })
const shade = oneOf('which', ['light', 'dark'])

test('a function that takes what its command gives fits', async () => {
  const run = (
    file: string,
    options: { dryRun?: boolean; limit: number; shade?: 'light' | 'dark'; host?: string[]; check: boolean },
  ) => note(file, options)
  const command = commandOf({
    description,
    arguments: { '<file>': 'a file' },
    options: {
      '-n, --dry-run': 'nothing changes',
      '--limit <number>': limit,
      '--shade <shade>': shade,
      '--host <name...>': 'hosts',
      '--no-check': 'no test',
    },
    load: async () => run,
  })
  expect(await command.load!()).toBe(run)
})

test('a flag that no function reads, an option that no flag gives and another type of value do not fit', async () => {
  const module = async () => ({
    one: (options: { json?: boolean }) => note(options),
    two: (first: string, second: string, options: { json?: boolean }) => note(first, second, options),
  })
  const json = { '--json': 'print JSON' }
  const commands = [
    commandsOf(module, {
      one: { description, options: json },
      two: { description, arguments: { '<a>': '', '<b>': '' }, options: json },
    }),
    // @ts-expect-error
    commandsOf(module, { one: { description, options: { ...json, '--all': 'all' } } }),
    // @ts-expect-error
    commandsOf(module, { one: { description, options: { '--json <file>': 'a file' } } }),
    // @ts-expect-error
    commandsOf(module, { one: { description, options: { '--jsn': 'print JSON' } } }),
    // @ts-expect-error
    commandsOf(module, { two: { description, arguments: { '<a>': '' }, options: json } }),
    // @ts-expect-error
    commandsOf(module, { three: { description } }),
    // @ts-expect-error
    commandsOf(module, { one: { description, options: {} } }),
    commandOf({
      description,
      // @ts-expect-error
      options: { '--limit <number>': limit },
      load: async () => (options: { limit: string }) => note(options),
    }),
    commandOf({
      description,
      // @ts-expect-error
      options: { '--shade <shade>': shade },
      load: async () => (options: { shade?: 'dark' }) => note(options),
    }),
    commandOf({
      description,
      // @ts-expect-error
      options: { '--key <key>': 'a key' },
      load: async () => (options: { key: string }) => note(options),
    }),
  ]
  expect(commands).toHaveLength(10)
})
