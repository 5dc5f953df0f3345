import { Command } from 'commander'
import { expect, test } from 'vitest'
import { helpItems } from '../../src/cli/build.ts'

const command = new Command('dev')
  .configureHelp(helpItems)
  .helpOption('-h, --help', 'display help for command')
  .option('--store <url>', 'a database that keeps payments after the end of the command; default: memory')
  .option('--show-endpoint', 'print the endpoint, which is a secret, even if the output is no terminal')

const helpAt = (columns: number) =>
  command
    .configureOutput({ getOutHelpWidth: () => columns })
    .helpInformation()
    .split('\n')

test.each([24, 40, 50, 60, 80, 120])('help fits into %i columns, with every word', (columns) => {
  const lines = helpAt(columns)
  expect(lines.filter((line) => line.length > columns && !line.startsWith('Usage'))).toEqual([])
  const words = lines.join(' ').replaceAll(/\s+/g, ' ')
  for (const { description } of command.options) expect(words).toContain(description)
})

test('a description has its own column, or the lines below where that would be narrow', () => {
  expect(helpAt(50)).toContain('  --store <url>    a database that keeps payments')
  expect(helpAt(40).slice(3, 7)).toEqual([
    '  --store <url>',
    '      a database that keeps payments',
    '      after the end of the command;',
    '      default: memory',
  ])
})
