import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { lateTexts } from '../../src/cli/zod-texts.ts'
import { folderWith, providerSource, purveyor } from './command.ts'

const list = new URL('../../node_modules/zod/v4/locales/index.js', import.meta.url)

test('every language of zod stays, and its file is loaded when it is used', () => {
  const late = lateTexts(readFileSync(list, 'utf8'), list.href)!
  const names = [...late.matchAll(/^export const (\w+) = \(\) => require\('(\.\/[\w-]+\.js)'\)/gm)].map(
    ([, name]) => name,
  )
  expect(names.sort()).toEqual(Object.keys(z.locales).sort())
})

test.each(['export * from "./ar.js";', 'export { default as ar } from "./ar.js";\nexport const a = 1', ''])(
  'a list of another form is left as it is: %j',
  (source) => {
    expect(lateTexts(source, list.href)).toBeUndefined()
  },
)

test('a provider gets the messages of its language in a command', async () => {
  const source = `import { z } from 'purveyor'
${providerSource()}
z.config(z.locales.de())
console.log(z.string().safeParse(7).error.issues[0].message)
`
  const { code, stderr } = await purveyor(['shop', 'list'], { cwd: folderWith({ 'provider.ts': source }) })
  expect([code, stderr]).toEqual([0, 'Ung\u00fcltige Eingabe: erwartet string, erhalten Zahl\n'])
})
