#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import type { PurveyorError } from '../errors/errors.ts'
import { keepCompiledCode } from './compile-cache.ts'
import { commands } from './groups.ts'
import type { Command } from './table.ts'
import { elaborate, fail } from './terminal/print.ts'
import { widthOf } from './terminal/tables.ts'

// Starts on Node 20 too, so that `init` can put the right Node into a new project and a shell can load its completion: nothing is imported here but the table of
// commands, commander and what prints. Each command loads what it runs.

keepCompiledCode()
// Loaded after that, so that its compiled code is cached too.
const { Command: Program, CommanderError } = await import('commander')

const { version, engines }: { version: string; engines: { node: string } } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** The exit codes of every command: 0 fine, 1 the thing checked failed, 2 wrong usage, 3 the environment. */
const exitCodes = { fine: 0, failed: 1, usage: 2, environment: 3 } as const

const purpose =
  "Connects shipping carriers and payment providers to a shop's checkout, with a shop to try them in."
const program = new Program('purveyor')
  .description(purpose)
  .version(version, '-v, --version')
  .exitOverride()
  .configureOutput({
    writeErr: (text) => elaborate(text.replace(/\n$/, '')),
    outputError: (text) => fail(text.replace(/^error: (command-argument value )?/, '').trimEnd()),
    getOutHelpWidth: () => widthOf(process.stdout) ?? 80,
    getErrHelpWidth: () => widthOf(process.stderr) ?? 80,
  })
  .showHelpAfterError('Help: purveyor --help')
  .addHelpCommand(
    new Program('help')
      .argument('[command]')
      .description('display help for command')
      .helpOption(false)
      .helpGroup('Read on:'),
  )

// A command loads only itself, `--version` loads none; help loads the whole table.
const [word = ''] = process.argv.slice(2)
if (!['-v', '--version', 'complete'].includes(word)) {
  const { addCommand, examplesOf, helpOf } = await import('./build.ts')
  program.configureHelp({ styleTitle: (text) => styleText('bold', text, { validateStream: false }) })
  const named = Object.hasOwn(commands, word) ? [word] : Object.keys(commands)
  const table = new Map<string, Command>()
  for (const name of named) table.set(name, (await commands[name]!()).command)
  for (const [name, command] of table) addCommand(program, name, command, needNode)
  const first = ['init', 'dev', 'check'].flatMap(
    (name) => examplesOf(table.get(name) ?? { description: '' })[0] ?? [],
  )
  program.addHelpText('after', () => helpOf(first))
}

const { node } = process.versions
const oldest = engines.node.replace('>=', '')
/** The first two numbers of a version as one. `localeCompare` would load the rules of all languages first, for 15 ms and more. */
const rankOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return 1_000 * major + minor
}
/** Whether this Node has all that a provider needs. An older one cannot load the modules that look an error up: they import its SQLite. */
const isOldNode = rankOf(node) < rankOf(oldest)

/** A command needs the Node that runs providers, unless its table says otherwise. */
function needNode({ onOlderNode = false }: Command): void {
  if (onOlderNode || !isOldNode) return
  // A project may link to a checkout: then it is the one that has the command.
  const line = existsSync('node_modules/.bin/purveyor')
    ? `npx purveyor ${word} ...`
    : `npx --package node@24 --package <purveyor> purveyor ${word} ... Put the name or file that you install Purveyor from in place of <purveyor>`
  throw Object.assign(
    new Error(
      `This command needs Node ${oldest} or newer, but this is Node ${node}. Run this line, which brings its own Node: ${line}`,
    ),
    { exitCode: exitCodes.environment },
  )
}

/** The line that names the page of a code, where it has one, and the exit code of a command that ends with it. */
async function explained(code: unknown): Promise<{ more: string; ends: number }> {
  const ends = exitCodes.environment
  // Errors with one of these codes name the remedy for this very call.
  const saysEnough = code === 'USAGE_WRONG' || code === 'ENVIRONMENT_UNFIT'
  if (typeof code !== 'string' || saysEnough || isOldNode) return { more: '', ends }
  const { failedCodes, pages, usageCodes } = await import('./explain/pages.ts')
  const hasPage = pages.some((page) => page.code === code)
  return {
    more: hasPage ? `\nCode: ${code}. More: purveyor explain ${code}` : '',
    ends: usageCodes.has(code) ? exitCodes.usage : failedCodes.has(code) ? exitCodes.failed : ends,
  }
}

/** The error with the lines of the user's own files that it is about; `undefined` if it is about none. */
async function inOwnFiles(error: unknown): Promise<string | undefined> {
  // Other errors of this package are about the command, and not about code or files.
  const { remedy, code, cause, name } = error as Partial<PurveyorError>
  const isSyntax = cause instanceof SyntaxError
  if (remedy !== undefined && !code?.endsWith('_INVALID') && !isSyntax) return undefined
  const { faultText, sourceFault } = await import('../observability/source-faults/source-fault.ts')
  const fault = sourceFault(isSyntax ? cause : error)
  return fault.lines.length > 0 || name === 'ThrownValue' ? faultText(fault) : undefined
}

// The reader may have closed the pipe, or a disk may be full.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.fine)
  fail(`the output cannot be written: ${message}`)
  process.exit(exitCodes.environment)
})

try {
  // For the scripts of `purveyor completion`, which wait for it at each press of a key: `purveyor complete -- words`.
  if (word === 'complete') await (await import('./complete.ts')).complete(process.argv.slice(4))
  else await program.parseAsync()
} catch (thrown) {
  const thrownValue = () => import('../observability/source-faults/source-fault.ts')
  const error = thrown instanceof Error ? thrown : new (await thrownValue()).ThrownValue(thrown)
  if (error instanceof CommanderError) {
    // commander has printed what was wrong; help and version end here too.
    process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
  } else {
    const { message, exitCode, code } = error as { message: string; exitCode?: number; code?: unknown }
    const { more, ends } = await explained(code)
    const said = isOldNode ? undefined : await inOwnFiles(error)
    fail((said ?? message) + more)
    const isKnown = exitCode !== undefined || typeof code === 'string' || said !== undefined
    const stack = isKnown ? undefined : error.stack
    if (stack) elaborate(stack)
    process.exitCode = exitCode ?? ends
  }
  // The parent process waits for the end of this one, and an open channel to it would keep this one alive.
  if (process.connected) process.exit()
}
