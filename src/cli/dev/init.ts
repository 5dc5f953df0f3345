import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellArgument } from '../../printable.ts'
import { version } from '../../version.ts'
import { oneOf, plain } from '../table.ts'
import { complain, print } from '../terminal/print.ts'
import { EnvironmentProblem, UsageError } from '../terminal/usage.ts'

const templates = { full: 'Shipping rates and payments', rates: 'Shipping rates', payments: 'Payments' }
type Template = keyof typeof templates
const names = Object.keys(templates) as Template[]

const packageFolder = resolve(fileURLToPath(new URL('../../../', import.meta.url)))

/** Writes nothing into a folder that is not empty. */
export const command = plain({
  description: 'create a provider from a template',
  examples: ['purveyor init my-provider --template rates', 'purveyor init my-provider --yes --no-install'],
  arguments: { '[folder]': 'an empty or new folder' },
  options: {
    '-t, --template <name>': oneOf('what the provider serves', names),
    '-y, --yes': 'ask no questions; default template: full',
    '--no-install': 'do not run npm install',
  },
  onOlderNode: true,
  async run({ folder: named, template: chosen, yes, install }) {
    const asking = !yes && process.stdin.isTTY === true && process.stdout.isTTY === true

    const folder = named ?? (asking ? await askFolder() : undefined)
    if (!folder) throw new UsageError('Name the new folder: purveyor init <folder> --template full')
    const target = resolve(folder)
    const found = statSync(target, { throwIfNoEntry: false })
    const taken = found?.isDirectory() ? readdirSync(target).length > 0 && 'not empty' : found && 'a file'
    if (taken)
      throw new UsageError(`${folder} is ${taken}, and nothing was written. Name a new or an empty folder.`)
    const template = chosen ?? (asking ? await askTemplate() : 'full')
    const isUnbuilt = isCheckout() && !existsSync(join(packageFolder, 'dist/cli/main.js'))
    if (isUnbuilt && install) build()
    cpSync(join(packageFolder, 'templates', template), target, { recursive: true })
    // npm leaves .gitignore files out of packages.
    renameSync(join(target, 'gitignore'), join(target, '.gitignore'))
    writePackage(target)
    if (install && !npm(target, ['install', '--no-audit', '--no-fund', '--loglevel=error']))
      throw new EnvironmentProblem(
        `npm install failed. The project was created. Once npm reaches its registry, run npm install in ${target}.`,
      )
    print(false, undefined, () => [
      ...['', `Made ${folder} from template ${template}. Next:`, ''],
      isUnbuilt && !install && `  npm --prefix ${typed(pathTo(packageFolder))} run build`,
      `  cd ${typed(pathTo(target))}`,
      !install && '  npm install',
      ...['  npm run dev', ''],
    ])
  },
})

/** The path from the folder of the person's shell: a script of npm runs in that of its package. */
const pathTo = (folder: string): string => relative(process.env.INIT_CWD ?? process.cwd(), folder) || '.'

const typed = (path: string): string => (/^[\w./@%+:,-]+$/.test(path) ? path : shellArgument(path))

function writePackage(target: string): void {
  const file = join(target, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const name = basename(target).toLowerCase()
  manifest.name = name.replace(/[^a-z0-9._-]+/g, '-').replace(/^[._-]+/, '') || 'my-provider'
  manifest.dependencies.purveyor = ownSpecifier()
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Whether this package is a checkout of the repository, not an installed package. A new project links to it and uses its `dist`. */
const isCheckout = (): boolean => basename(dirname(packageFolder)) !== 'node_modules'

/** The new project depends on the package that created it: the release, the packed file, or this working copy. */
function ownSpecifier(): string {
  if (isCheckout()) return `file:${packageFolder}`
  const modules = dirname(packageFolder)
  const installed = join(modules, '.package-lock.json')
  const { packages = {} } = existsSync(installed) ? JSON.parse(readFileSync(installed, 'utf8')) : {}
  const [, file] = /^file:(.*)/.exec(packages['node_modules/purveyor']?.resolved ?? '') ?? []
  return file === undefined ? `^${version}` : `file:${resolve(dirname(modules), file)}`
}

/** npm makes no command of a package whose file does not exist yet. So the checkout is built before a project installs it. */
function build(): void {
  complain('This checkout is not built yet. Building it once ...')
  if (!npm(packageFolder, ['run', '-s', 'build']))
    throw new EnvironmentProblem(
      `The build of the checkout failed, and nothing was written. Run npm --prefix ${typed(packageFolder)} run build, then init again.`,
    )
}

/** Runs npm in a folder, with its output on this terminal. Returns whether it ended well. */
function npm(cwd: string, args: readonly string[]): boolean {
  const script = process.env.npm_execpath
  const [command, first] = script ? [process.execPath, [script]] : ['npm', []]
  const { status } = spawnSync(command, [...first, ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, npm_config_prefix: undefined, npm_config_package: undefined },
  })
  return status === 0
}

async function askFolder(): Promise<string> {
  const { text } = await import('@clack/prompts')
  const usual = { placeholder: 'my-provider', defaultValue: 'my-provider' }
  return answered(await text({ message: 'Folder of the new provider?', ...usual }))
}

async function askTemplate(): Promise<Template> {
  const { select } = await import('@clack/prompts')
  const options = names.map((value) => ({ value, label: templates[value] }))
  return answered<Template>(await select({ message: 'What does it provide?', options }))
}

/** The answer to a question. A symbol says that the person ended it. */
function answered<Answer extends string>(answer: Answer | symbol): Answer {
  if (typeof answer === 'symbol') throw new UsageError('Nothing was created.')
  return answer
}
