import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeSyntaxError } from '../../../src/cli/provider/file.ts'
import { folderWith } from '../../folder.ts'

/** The stack of an error in one of these files, from their folder. */
function errorIn(files: Record<string, string>, message: string): string {
  const folder = folderWith(files)
  const error = new SyntaxError(message)
  error.stack = `SyntaxError: ${message}\n    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)`
  const paths = Object.keys(files).map((name) => join(folder, name))
  placeSyntaxError(error, paths)
  return error.stack.replace(folder, '')
}

test('a name that is declared twice in a file of TypeScript that another imports', () => {
  const stack = errorIn(
    { 'a.ts': "import './b.ts'\n", 'b.ts': 'const b: number = 1\nconst b: string = ""\n' },
    "Identifier 'b' has already been declared",
  )
  expect(stack).toContain(`/b.ts:2\nconst b         = ""\n      ^\n`)
})

test('a syntax error of JavaScript', () => {
  const stack = errorIn({ 'a.ts': "import './c.js'\n", 'c.js': 'const c = 3 4\n' }, 'Unexpected number')
  expect(stack).toContain(`/c.js:1\nconst c = 3 4\n            ^\n`)
})

test('an error that no file has keeps its stack', () => {
  expect(errorIn({ 'a.ts': 'export {}\n' }, 'Unexpected number')).toMatch(/^SyntaxError: Unexpected number\n/)
})
