import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/**
 * Puts file, line and code of a syntax error before its stack, where Node has left them out. It does so for faults that only its compiler
 * finds, such as a name that is declared twice. Looks through the files that were loaded, the last first.
 */
export function placeSyntaxError(error: SyntaxError, loaded: readonly string[]): void {
  if (/^(?:file:\/\/)?\/.+:\d+\n/.test(error.stack ?? '')) return
  for (const file of loaded.toReversed()) {
    // Node's words about a module that it does not compile: its line, the code, and the error.
    const words = compiled(file)
    if (!words.includes(`SyntaxError: ${error.message}`)) continue
    const [before = ''] = words.split(/^SyntaxError/m, 1)
    error.stack = `${file}${before.slice(before.search(/:\d+\n/))}${error.stack}`
    return
  }
}

function compiled(file: string): string {
  // Node warns that this function is experimental, and users can do nothing about it.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const text = readFileSync(file, 'utf8')
    // The types become spaces: every place stays where it was.
    const input = /\.[cm]?ts$/.test(file) ? stripTypeScriptTypes(text) : text
    const how = ['--input-type=module', '--check', '-']
    return spawnSync(process.execPath, how, { input, encoding: 'utf8', timeout: 5_000 }).stderr
  } catch {
    return ''
  } finally {
    process.emitWarning = emitWarning
  }
}
