import type { Command, OptionDetails, Options } from '../../src/cli/table.ts'
import type { Example } from './examples.ts'

/** The page of a command with all that lie below it, each with its arguments, options and an example. */
export function commandPage(name: string, command: Command, examples: readonly Example[]): string {
  return [`# purveyor ${name}`, ...sections([name], command, examples)].join('\n\n')
}

function sections(path: readonly string[], command: Command, examples: readonly Example[]): string[] {
  const below = Object.entries(command.commands ?? {})
  const own = command.run ? oneCommand(path, command, examples) : [sentence(command.description)]
  return [
    ...(path.length === 1 ? own : [`## purveyor ${path.join(' ')}`, ...own]),
    ...below.flatMap(([name, one]) => sections([...path, name], one, examples)),
  ]
}

function oneCommand(path: readonly string[], command: Command, examples: readonly Example[]): string[] {
  const { description, arguments: given = {}, options = {}, commands: below = {} } = command
  const call = [
    'purveyor',
    ...path,
    ...Object.keys(given),
    Object.keys(options).length > 0 ? '[options]' : '',
  ]
  const shown = examples.filter(({ command: line }) => isOf(line, path, Object.keys(below)))
  return [
    sentence(description),
    `\`\`\`text\n${call.filter(Boolean).join(' ')}\n\`\`\``,
    ...table('argument', given),
    ...table('option', options),
    ...shown.map(({ text }) => `\`\`\`console\n${text}\n\`\`\``),
  ]
}

/** Whether a command line calls this command and none below it. */
function isOf(line: string, path: readonly string[], below: readonly string[]): boolean {
  const words = line.split(' ').slice(1)
  return path.every((word, place) => words[place] === word) && !below.includes(words[path.length] ?? '')
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`

function optionText(details: string | OptionDetails): string {
  if (typeof details === 'string') return details
  const { description, choices, default: standard, required } = details
  return [
    description,
    choices && `one of ${choices.join(', ')}`,
    standard !== undefined && !description.includes('default') && `default: ${String(standard)}`,
    required && 'required',
  ]
    .filter(Boolean)
    .join('; ')
}

function table(title: string, given: Options): string[] {
  const rows = Object.entries(given)
  if (rows.length === 0) return []
  const cell = (text: string) => text.replaceAll('|', '\\|')
  return [
    [
      `| ${title} | meaning |`,
      '| --- | --- |',
      ...rows.map(([name, details]) => `| \`${cell(name)}\` | ${cell(optionText(details))} |`),
    ].join('\n'),
  ]
}
