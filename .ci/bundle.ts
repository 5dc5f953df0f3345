import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ChunkingContext, type CodeSplittingGroup, type Plugin, rolldown } from 'rolldown'
import { minify } from 'rolldown/utils'

const repository = fileURLToPath(new URL('..', import.meta.url))
const src = join(repository, 'src')

/** Files loaded by their path: the exports of package.json, the command, and what runs a provider in a process of its own. */
const entries = [
  ...['index', 'rates/index', 'contract/index', 'platform/index', 'sandbox/index', 'conformance/index'],
  'testing/index',
  ...['cli/main', 'cli/dev/moving-clock', 'cli/provider-main'],
]

const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'peerDependencies', Record<string, string>>

/**
 * Packages whose code becomes part of ours, and which are devDependencies therefore. kysely is 257 small files: to find and link them
 * takes longer than a command. None of them parses what strangers send, and none shares objects with code of users. All others are
 * dependencies, so that their fixes reach users without a release of Purveyor.
 */
export const inlined = [
  'close-with-grace',
  'cockatiel',
  'commander',
  'core',
  'entities',
  'fast-string-truncated-width',
  'fast-string-width',
  'fast-wrap-ansi',
  'fastest-levenshtein',
  'github-slugger',
  'highlight.js',
  'kysely',
  'linkify-it',
  'markdown-it',
  'mdurl',
  'minisearch',
  'prompts',
  'punycode.js',
  'sisteransi',
  'uc.micro',
]

/**
 * Makes everything of dist/ but its types in the folder `out`: the code of `src` as few files that load quickly, and what is read at run
 * time. Each module stands in one file only, so that a provider's file, which imports `purveyor`, and the command line share every class
 * and every piece of state.
 */
export async function bundle(out: string): Promise<void> {
  const build = await rolldown({
    input: {
      ...Object.fromEntries(entries.map((name) => [name, join(src, `${name}.ts`)])),
      // The built-in sample: below node_modules Node strips no types.
      'templates/full/provider': join(repository, 'templates/full/provider.ts'),
      // The site is larger than all else here, so it is made where somebody opens it.
      'site/build': join(repository, '.ci/docs/packed-site.ts'),
    },
    platform: 'node',
    // Rolldown asks for it where a group takes no imports along.
    preserveEntrySignatures: 'allow-extension',
    transform: { target: 'node24.15' },
    external: [
      /^node:/,
      ...['purveyor', ...Object.keys({ ...dependencies, ...peerDependencies })].map(
        (name) => new RegExp(`^${name}(/|$)`),
      ),
    ],
    plugins: [placesOfSource(), smallerPackages()],
    // How long a plugin takes on a busy machine is no fault.
    checks: { pluginTimings: false },
    onLog(level, { code, message }) {
      // `import()` of what is loaded anyway.
      if (level === 'warn' && code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(message)
    },
  })
  const { output } = await build.write({
    dir: out,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    minifyInternalExports: false,
    // Documentation stands in the types.
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: { groups: [eachPackage, ...groupsOf()] },
  })
  await build.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  writeFileSync(join(out, 'THIRD-PARTY.md'), licences(chunks.flatMap(({ moduleIds }) => moduleIds)))
  cpSync(join(repository, 'templates/full/logo.png'), join(out, 'templates/full/logo.png'))
  for (const folder of ['http/pages/texts', 'cli/completion'])
    cpSync(join(src, folder), join(out, folder), { recursive: true })
}

/** Imports the files of commands. What several of them share is loaded with each. */
const tables = 'cli/groups.ts'

/** What is loaded by itself: a provider, what runs ahead of it, every command, and the smaller entry points. */
const parts = {
  provider: 'index.ts',
  contract: 'contract/index.ts',
  platform: 'platform/index.ts',
  check: 'conformance/index.ts',
  sandbox: 'sandbox/index.ts',
  time: 'cli/dev/moving-clock.ts',
  'command-line': 'cli/main.ts',
  commands: tables,
}

/**
 * Puts the modules that the same parts load into one file: each part loads no more than it needs, in few files. What neither a provider
 * nor several commands load stays by itself.
 */
function groupsOf(): CodeSplittingGroup[] {
  let loaded: [string, Set<string>][] | undefined
  return [
    {
      name(id, build) {
        loaded ??= Object.entries(parts).map(([name, entry]) => [name, importedBy(entry, build)])
        const by = loaded.flatMap(([name, modules]) => (modules.has(id) ? name : []))
        const most = Math.min(...by.map((name) => ofCommands[name] ?? Number.POSITIVE_INFINITY))
        const isShared = by.includes('provider') || importersOf(id, build) >= most
        return isShared && !isEntry(id) ? by.join('-') : null
      },
      debugName: 'parts',
      includeDependenciesRecursively: false,
      priority: 1,
    },
  ]
}

const importersOf = (id: string, build: ChunkingContext): number =>
  build.getModuleInfo(id)?.importers.length ?? 0

/** Files of the commands alone, by how many import a part that then stands with the others: `--version` loads the first. */
const ofCommands: Record<string, number> = { 'command-line': 1, commands: 4 }

/** The folder of the package that a module is from, unless it is ours. */
const packageOf = (id: string): string | undefined => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]

/** Small packages that many commands load stand beside the code that uses them: each file more takes time. */
const small = [
  'close-with-grace',
  'cockatiel',
  'fast-string-truncated-width',
  'fast-string-width',
  'fast-wrap-ansi',
  'fastest-levenshtein',
]

/** A file for each other package whose code becomes part of ours. */
const eachPackage: CodeSplittingGroup = {
  name(id) {
    const name = basename(packageOf(id) ?? '')
    return name === '' || small.includes(name) ? null : name.replace('.js', '')
  },
  debugName: 'packages',
  priority: 100,
}

/** What plays the shop, checks an endpoint or copies a store. */
const tools = /^(sandbox|conformance|call-log|exact|live|people|copy|release|doctor)/

/** What runs a provider stays as it is, so that people can read it where it fails. */
const smallerPackages = (): Plugin => ({
  name: 'smaller-packages',
  async generateBundle(_, files) {
    for (const file of Object.values(files))
      if (
        file.type === 'chunk' &&
        ((file.moduleIds.length > 0 && file.moduleIds.every(packageOf)) || tools.test(file.name))
      )
        file.code = (await minify(file.fileName, file.code, { module: true })).code
  },
})

const isEntry = (id: string): boolean => entries.some((name) => id === join(src, `${name}.ts`))

/** The modules that are loaded with a file of `src`. */
function importedBy(file: string, build: ChunkingContext): Set<string> {
  const found = new Set([join(src, file)])
  if (file === tables)
    for (const table of build.getModuleInfo(join(src, file))?.dynamicallyImportedIds ?? []) found.add(table)
  for (const module of found)
    for (const next of build.getModuleInfo(module)?.importedIds ?? []) found.add(next)
  return found
}

/** A bundled module finds files by its place in `src`, wherever its code ends up. */
function placesOfSource(): Plugin {
  return {
    name: 'places-of-source',
    transform: (code, id) =>
      id.startsWith(src) && code.includes('import.meta.url')
        ? code.replaceAll('import.meta.url', `placeInSource('${relative(src, id).replace(/ts$/, 'js')}')`)
        : undefined,
    renderChunk: (code, { fileName }) =>
      code.replace(
        /\bplaceInSource\(["']([^"']+)["']\)/g,
        (_, place: string) => `new URL("./${relative(dirname(fileName), place)}", import.meta.url).href`,
      ),
  }
}

/** The licences of the packages that these modules are from. */
function licences(modules: readonly string[]): string {
  const folders = [...new Set(modules.flatMap((id) => packageOf(id) ?? []))].sort()
  const packages = new Map(folders.map((folder) => [basename(folder), folder]))
  const names = [...packages.keys()].sort()
  if (String(names) !== String(inlined)) throw new Error(`The bundle holds ${names.join(', ')}`)
  const sections = [...packages].map(([name, folder]) => {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    const licence = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENSE-MIT.txt', 'license']
      .map((file) => join(folder, file))
      .find((file) => existsSync(file))
    return `## ${name} ${version}\n\n${readFileSync(licence!, 'utf8').trim()}\n`
  })
  return ['# Code of others in this folder\n', ...sections].join('\n')
}
