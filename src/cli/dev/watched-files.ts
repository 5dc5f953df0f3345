import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

/** Folders that other programs write or read: packages, builds, data, tests, and all with a dot, such as `.git`. */
const foreignFolder = /^(node_modules|data|dist|coverage|tests?|__tests__|\..+)$/

/** Editors and `sed -i` keep these beside a file while they save it. */
const editorFile =
  /~$|^#.*#$|\.sw[a-px]$|^4913$|^sed\w{6}$|___jb_(tmp|old|bak)___$|\.(tmp|temp|bak|orig|rej|part)$/i

/** Stores, logs, texts for people, tests and files of other tools: a provider does not start from them. One that it imports counts. */
const otherFile =
  /\.(db|db3|sqlite|sqlite3)$|-(wal|shm|journal)$|\.(log|pid|md|mdx)$|\.(test|spec)\.\w+$|^(package-lock|tsconfig.*|jsconfig|biome)\.jsonc?$|^((.+\.)?dockerfile(\..+)?|makefile|licen[cs]e(\.txt)?)$|^(docker-)?compose(\..+)?\.ya?ml$/i

const isEnv = (name: string): boolean => /^\.env(\.|$)/.test(name)

/** The files that a provider may read: all of its folders but those that other programs write. */
export class WatchedFiles {
  /** Absolute: the folder that dev runs in, and the project of the provider's file if it lies elsewhere. None without such a file. */
  readonly folders: readonly string[]
  readonly #folder: string
  readonly #file: string | undefined
  readonly #without: readonly string[]

  /** All paths are absolute. `without` names folders that dev itself writes. */
  constructor(file: string | undefined, folder: string, without: readonly string[] = []) {
    this.#file = file
    this.#without = without
    this.#folder = folder
    if (file === undefined) this.folders = []
    else this.folders = isBelow(folder, file) ? [folder] : [folder, projectOf(file)]
  }

  /** Whether to look into a folder. The one of the provider's file counts, whatever its name. */
  hasFolder(path: string): boolean {
    if (this.folders.includes(path)) return true
    if (this.#without.includes(path)) return false
    return !foreignFolder.test(basename(path)) || (this.#file !== undefined && isBelow(path, this.#file))
  }

  hasFile(path: string): boolean {
    const name = basename(path)
    if (name.startsWith('.')) return isEnv(name) && !editorFile.test(name)
    return !editorFile.test(name) && !otherFile.test(name)
  }

  /** Whether a path is found from the folders, and not for itself alone. */
  covers(path: string): boolean {
    const above = this.folders.find((folder) => isBelow(folder, path))
    if (above === undefined || !this.hasFile(path)) return false
    for (let folder = dirname(path); folder !== above; folder = dirname(folder))
      if (!this.hasFolder(folder)) return false
    return true
  }

  /** A path as the terminal shows it: from the folder of dev. */
  shown(path: string): string {
    return relative(this.#folder, path)
  }
}

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The nearest folder with a `package.json`, otherwise the file's own. */
function projectOf(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder
  return dirname(file)
}
