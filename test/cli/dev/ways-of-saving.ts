import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

type Way = (path: string, content: string) => void | Promise<void>

const git = (cwd: string, args: string[], input = '') =>
  execFileSync('git', args, { cwd, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim()

const gitAll = (cwd: string, ...lines: string[]): void => {
  for (const line of lines) git(cwd, line.split(' '))
}

/** The ways in which programs save one file. */
export const ways: Record<string, Way> = {
  'in place': (path, content) => writeFileSync(path, content),
  'by rename': (path, content) => {
    writeFileSync(`${path}.tmp`, content)
    renameSync(`${path}.tmp`, path)
  },
  'as vim': (path, content) => {
    const place = dirname(path)
    writeFileSync(join(place, `.${basename(path)}.swp`), 'b0VIM')
    writeFileSync(join(place, '4913'), '')
    rmSync(join(place, '4913'))
    renameSync(path, `${path}~`)
    writeFileSync(path, content)
    rmSync(`${path}~`)
    rmSync(join(place, `.${basename(path)}.swp`))
  },
  'as JetBrains': (path, content) => {
    writeFileSync(`${path}___jb_tmp___`, content)
    renameSync(path, `${path}___jb_old___`)
    renameSync(`${path}___jb_tmp___`, path)
    rmSync(`${path}___jb_old___`)
  },
  'as Emacs': (path, content) => {
    const auto = join(dirname(path), `#${basename(path)}#`)
    writeFileSync(auto, content)
    renameSync(path, `${path}~`)
    writeFileSync(path, content)
    rmSync(auto)
    rmSync(`${path}~`)
  },
  'sed -i': (path, content) => {
    writeFileSync(path, content)
    execFileSync('sed', ['-i', '$ a // by sed', path])
  },
  'git checkout': (path, content) => {
    const cwd = dirname(path)
    const blob = git(cwd, ['hash-object', '-w', '--stdin'], content)
    const place = git(cwd, ['ls-files', '--full-name', basename(path)])
    git(cwd, ['update-index', '--cacheinfo', `100644,${blob},${place}`])
    git(cwd, ['checkout', '--', basename(path)])
  },
  'removed and made again': (path, content) => {
    rmSync(path)
    writeFileSync(path, content)
  },
  'in two pieces': async (path, content) => {
    const file = openSync(path, 'w')
    writeSync(file, content.slice(0, content.length / 2))
    await wait(30)
    writeSync(file, content.slice(content.length / 2))
    closeSync(file)
  },
  'at the end': (path, content) => {
    writeFileSync(path, content)
    appendFileSync(path, '\n// more')
  },
  'a copy with its old time': (path, content) => {
    const { atime, mtime } = statSync(path)
    writeFileSync(`${path}.tmp`, content)
    copyFileSync(`${path}.tmp`, path)
    rmSync(`${path}.tmp`)
    utimesSync(path, atime, mtime)
  },
  'twice at once': (path, content) => {
    writeFileSync(path, `${content}// first`)
    writeFileSync(path, content)
  },
  'again during the restart': async (path, content) => {
    writeFileSync(path, `${content}// first`)
    await wait(150)
    writeFileSync(path, content)
  },
}

/** The ways in which a folder changes. `number` is another one each time. */
export const treeWays: Record<string, (folder: string, number: number) => void> = {
  'several files at once': (folder, number) => {
    for (const name of ['src/rates.ts', 'tariff.csv', 'texts.json', 'logo.png'])
      writeFileSync(join(folder, name), `// ${number}`)
  },
  'a new file': (folder, number) => writeFileSync(join(folder, `src/new${number}.ts`), `// ${number}`),
  'a new folder': (folder, number) => {
    mkdirSync(join(folder, `zones${number}/deep`), { recursive: true })
    writeFileSync(join(folder, `zones${number}/deep/nl.csv`), `${number}`)
  },
  'a file in the new folder': (folder, number) =>
    writeFileSync(join(folder, `zones${number - 1}/deep/be.csv`), `${number}`),
  'a moved folder': (folder, number) =>
    renameSync(join(folder, `zones${number - 2}`), join(folder, `areas${number - 2}`)),
  'a removed folder': (folder, number) => rmSync(join(folder, `areas${number - 3}`), { recursive: true }),
  'a removed file': (folder, number) => rmSync(join(folder, `src/new${number - 5}.ts`)),
  'a checkout of another branch': (folder, number) => {
    const branch = `branch${number}`
    gitAll(folder, 'add -A', 'commit -qm before', `checkout -qb ${branch}`)
    for (let file = 0; file < 20; file++) writeFileSync(join(folder, `src/${branch}-${file}.ts`), '1')
    gitAll(folder, 'add -A', 'commit -qm many', 'checkout -q main', `checkout -q ${branch}`)
    gitAll(folder, 'branch -f main', 'checkout -q main')
  },
}

const names = [
  ...['provider.ts', 'src/rates.ts', 'src/zones.mts', 'src/tax.js', 'src/sizes.mjs', 'tariff.csv'],
  ...['texts.json', 'zones.geojson', '.env', '.env.local', 'pages/terms.html', 'pages/terms.css', 'logo.png'],
]

interface Step {
  what: string
  save(): void | Promise<void>
}

/** A folder with files of all kinds that `git` can check others out into, and its steps. */
export function stepsIn(folder: string): Generator<Step, never> {
  for (const name of ['.gitignore', ...names]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), name === '.gitignore' ? 'data\ncalls\n' : '0')
  }
  const author = ['config user.email a@example.com', 'config user.name a']
  gitAll(folder, 'init -q -b main', ...author, 'add -A -f', 'commit -qm first')
  return stepsOf(folder)
}

/** All ways by turns, each with another file each time. After two of three, the folder is changed: the first 21 steps take each way once. */
function* stepsOf(folder: string): Generator<Step, never> {
  const single = Object.entries(ways)
  const tree = Object.entries(treeWays)
  for (let number = 0, trees = 0; ; number++) {
    const name = names[(number + Math.floor(number / names.length)) % names.length]!
    const [way, save] = single[number % single.length]!
    yield { what: `${name} ${way}`, save: () => save(join(folder, name), `// ${number}\n`) }
    if (number % 3 === 0) continue
    const [kind, change] = tree[trees % tree.length]!
    const at = trees++
    yield { what: kind, save: () => change(folder, at) }
  }
}
