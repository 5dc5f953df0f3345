import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The most files that are looked through. */
const mostFiles = 100

/**
 * Puts file, line and code of a syntax error before its stack, where Node has left them out. It does so for faults that only its compiler
 * finds, such as a name that is declared twice. Looks through the file and all that it imports by a path.
 */
export function placeSyntaxError(error: SyntaxError, file: string): void {
  if (/^(?:file:\/\/)?\/.+:\d+\n/.test(error.stack ?? '')) return
  for (const one of importedBy(file)) {
    const place = checked(one)
    if (!place?.includes(`SyntaxError: ${error.message}`)) continue
    const [before = ''] = place.split(/^SyntaxError/m, 1)
    error.stack = `${one}${before.slice(before.search(/:\d+\n/))}${error.stack}`
    return
  }
}

/** A file and those that it imports by a path, each once. */
function importedBy(first: string): string[] {
  const files = [first]
  for (const file of files) {
    if (files.length > mostFiles) break
    for (const [, , path] of textOf(file).matchAll(
      /(?:from|import)\s*\(?\s*(['"])(\.\.?\/.+?\.[cm]?[jt]s)\1/g,
    )) {
      const found = resolve(dirname(file), path!)
      if (!files.includes(found)) files.push(found)
    }
  }
  return files
}

/** The words of Node about a module that it does not compile: its file and line, the line, and the error. */
function checked(file: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-syntax-'))
  try {
    const text = textOf(file)
    const copy = join(folder, 'module.mjs')
    // The types become spaces: every place stays where it was.
    writeFileSync(copy, /\.[cm]?ts$/.test(file) ? withoutTypes(text) : text)
    const { status, stderr } = spawnSync(process.execPath, ['--check', copy], {
      encoding: 'utf8',
      timeout: 5_000,
    })
    return status === 0 ? undefined : stderr
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Node warns that this function is experimental, and users can do nothing about it. */
function withoutTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
