import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, purveyor } from './command.ts'

/** Makes of this Node one that says it is 20 and has no SQLite, as Node 20. */
const asNode20 = `import { registerHooks } from 'node:module'

Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:sqlite') throw new Error('No such built-in module: node:sqlite')
    return next(specifier, context)
  },
})
`

const files = { 'node-20.mjs': asNode20, 'here/note.txt': 'mine' }
const cwd = folderWith(files)
const onNode20 = (...args: string[]) =>
  purveyor(args, { cwd, env: { NODE_OPTIONS: `--import=${join(cwd, 'node-20.mjs')}` } })

describe.concurrent('on Node 20', () => {
  test.for<[string, ...string[]]>([
    ['check', 'https://shop.example.com/e/1'],
    ['doctor'],
    ['dev'],
    // Its cases and rules load a store.
    ['explain', 'CONFIGURATION_INVALID'],
    ['rates', 'lint', 'tariff.csv'],
  ])('%s says which Node it needs, and how to get it', async (args) => {
    expect(await onNode20(...args)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /^purveyor: This command needs Node 24\.15 or newer and runs on 20\.20\.2\. In a project with `node@24` among its devDependencies, start it with npx or an npm script\.\n$/,
      ),
    })
  })

  test.for<[string, ...string[]]>([
    ['completion', 'bash'],
    ['docs', 'start'],
    ['docs', 'registration', 'of', 'a', 'shop'],
  ])('%s %s prints as on any Node', async (args) => {
    const printed = await onNode20(...args)
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/purveyor|page/) })
    expect(printed).toEqual(await purveyor(args, { cwd }))
  })

  test('a shell that starts with the completion has no line on its screen', async () => {
    expect((await onNode20('completion', 'bash')).stderr).toBe('')
    expect(await onNode20('complete', '--', 'do')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^docs\t/m),
    })
  })

  test('an error of init has its sentence and its code, also one of the disk', async () => {
    const wrong = await onNode20('init', 'here', '--no-install')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('here is not empty')])
    const disk = await onNode20('init', 'here/note.txt/new', '--no-install')
    expect([disk.code, disk.stderr]).toEqual([3, expect.stringMatching(/^purveyor: ENOTDIR: .*\n$/)])
  })
})
