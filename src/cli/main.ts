#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'

// Starts on Node 20 too, so that `init` can put the right Node into a new project: nothing is imported here but commander,
// and each command brings its own.

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** What every command answers with: 0 fine, 1 the thing checked failed, 2 wrong usage, 3 the environment. */
export const exitCodes = { fine: 0, failed: 1, usage: 2, environment: 3 } as const

const port = (text: string): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= 65535) return number
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535; 0 takes a free one.')
}

const program = new Command('purveyor')
  .description(
    "The third party's side of a shop platform's checkout: rates, payments and a shop to try them in.",
  )
  .version(version, '-v, --version')
  .exitOverride()
  .showHelpAfterError('(--help shows what there is)')

program
  .command('init')
  .description('make a new provider from a template')
  .argument('[folder]', 'an empty or new folder')
  .option('-t, --template <name>', 'rates, payments or full')
  .option('-y, --yes', 'ask nothing; template full where none is named')
  .option('--no-install', 'leave out npm install')
  .action(async (folder, options) => (await import('./init.ts')).init(folder, options))

program
  .command('dev')
  .description('run a provider beside the sandbox shop, and again after every change')
  .argument('[file]', 'default: provider.ts or src/provider.ts, otherwise the built-in sample')
  .option('-p, --port <number>', 'port of the provider; the shop takes the next one', port)
  .option('--json', 'print the ready line as JSON')
  .action(async (file, options) => (await current(() => import('./dev.ts'))).dev(file, options))

program
  .command('serve')
  .description('run a provider')
  .argument('[file]', 'default: provider.ts or src/provider.ts')
  .option('-p, --port <number>', 'default: PORT, or 3000', port)
  .option('--json', 'print the ready line as JSON')
  .action(async (file, options) => (await current(() => import('./serve.ts'))).serve(file, options))

program
  .command('db')
  .description('look after the store')
  .command('migrate')
  .description('bring the tables up to date')
  .option('--json', 'print the result as JSON')
  .action(async (options) => (await current(() => import('./db.ts'))).migrate(options))

/** All commands but `init` need the Node that runs providers. */
async function current<T>(load: () => Promise<T>): Promise<T> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 15)) return load()
  throw Object.assign(
    new Error(
      `This command needs Node 24.15 or newer and runs on ${process.versions.node}. Run \`npm install node@24 --save-dev\` and start it with an npm script.`,
    ),
    {
      exitCode: exitCodes.environment,
    },
  )
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // commander has printed what was wrong; help and version end here too.
    process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
  } else {
    const { message, exitCode, code } = error as Error & { exitCode?: number; code?: string }
    console.error(`purveyor: ${message}`)
    const stack = exitCode === undefined && typeof code !== 'string' ? (error as Error).stack : undefined
    if (stack) console.error(stack)
    process.exitCode = exitCode ?? exitCodes.environment
  }
}
