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

/**
 * The files that a provider may read: all of its folders but those that other programs write. All paths are absolute. `folder` is the one that
 * dev runs in, `without` are folders that dev itself writes.
 */
export function watchedFiles(file: string | undefined, folder: string, without: readonly string[] = []) {
  /** That folder, and the project of the provider's file if it lies elsewhere. None without such a file. */
  const project = file === undefined || isBelow(folder, file) ? [] : [projectOf(file)]
  const folders = file === undefined ? [] : [folder, ...project]
  /** Whether to look into a folder. The one of the provider's file counts, whatever its name. */
  function hasFolder(path: string): boolean {
    if (folders.includes(path)) return true
    if (without.includes(path)) return false
    return !foreignFolder.test(basename(path)) || (file !== undefined && isBelow(path, file))
  }
  function hasFile(path: string): boolean {
    const name = basename(path)
    if (name.startsWith('.')) return isEnv(name) && !editorFile.test(name)
    return !editorFile.test(name) && !otherFile.test(name)
  }
  /** Whether a path is found from the folders, and not for itself alone. */
  function covers(path: string): boolean {
    const above = folders.find((one) => isBelow(one, path))
    if (above === undefined || !hasFile(path)) return false
    for (let at = dirname(path); at !== above; at = dirname(at)) if (!hasFolder(at)) return false
    return true
  }
  /** A path as the terminal shows it: from the folder of dev. */
  const shown = (path: string): string => relative(folder, path)
  return { folders, hasFolder, hasFile, covers, shown }
}

export type WatchedFiles = ReturnType<typeof watchedFiles>

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The nearest folder with a `package.json`, otherwise the file's own. */
function projectOf(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder
  return dirname(file)
}
