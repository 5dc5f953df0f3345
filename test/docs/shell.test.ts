import { expect, test } from 'vitest'
import { readExamples } from '../../.ci/docs/examples.ts'
import { loadCommands } from '../cli/command-names.ts'
import { misunderstood, wordsOf } from '../cli/understand.ts'
import { manifest } from '../journey/project.ts'
import { allPages, blocksOf, guides } from './pages.ts'

const commands = await loadCommands()

/** What a reader has beside Purveyor. */
const tools =
  /^(cd|export|docker|kubectl|systemctl|journalctl|curl|openssl|createdb|pg_dump|pg_restore|cp|mkdir|ls|sudo|node|git|cat)\b/

/** Why a line of a shell block cannot be typed; `undefined` where it can. */
async function faultOf(line: string): Promise<string | undefined> {
  const own = /^(?:npx (?:--loglevel=error )?(?:--package \S+ )*|npm run -s )?purveyor(?: -- | |$)(.*)$/
  const [, call] = own.exec(line) ?? []
  if (call !== undefined) return misunderstood(commands, wordsOf(call))
  const [, script] = /^npm (?:run (?:-s )?)?([\w:]+)/.exec(line) ?? []
  const known = ['ci', 'install', 'pack', 'dev', 'start', 'test', ...Object.keys(manifest.scripts)]
  if (script !== undefined) return known.includes(script) ? undefined : `there is no script ${script}`
  return tools.test(line) || /^\w+=\S*$/.test(line) ? undefined : 'no known command'
}

const examples = allPages.filter(({ path }) => path.startsWith('examples/'))

/** Lines of shell blocks, with the address of each; a backslash continues a line. */
const lines = blocksOf('sh', [...guides, ...examples]).flatMap(({ place, code }) =>
  (code.replaceAll('\\\n', ' ').match(/^[^#\n].*$/gm) ?? []).map((text) => ({ place, text })),
)

/** Commands within sentences and tables. */
const inline = guides.flatMap(({ path, text }) =>
  [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`(purveyor(?: [^`]*)?)`/g)].map(([, call = '']) => ({
    place: path,
    words: wordsOf(call.replace(/\s+/g, ' ')).slice(1),
  })),
)

test('every line of a shell block is a command with options that it has', async () => {
  expect(lines.length).toBeGreaterThan(50)
  const faults = await Promise.all(
    lines.map(async ({ place, text }) => {
      const fault = await faultOf(text)
      return fault ? [`${place} ${text}: ${fault}`] : []
    }),
  )
  expect(faults.flat()).toEqual([])
})

test('every command that a sentence names is there, with these options', () => {
  expect(inline.length).toBeGreaterThan(50)
  const faults = inline.flatMap(({ place, words }) => {
    let command = commands[words[0] ?? '']
    const isHelp = ['', '--help', '<command>', 'docs'].includes(words[0] ?? '')
    if (!command) return isHelp ? [] : [`${place}: ${words.join(' ')}`]
    for (const word of words.slice(1)) command = command?.commands?.[word] ?? command
    const known = Object.keys(command?.options ?? {}).flatMap((flags) => flags.match(/--?[a-z-]+/g) ?? [])
    const unknown = words.filter((word) => /^--?[a-z]/.test(word) && !['--help', ...known].includes(word))
    return unknown.map((flag) => `${place}: ${words.join(' ')} has no ${flag}`)
  })
  expect(faults).toEqual([])
})

test('a command that is not there, and an option that it does not have, are found', async () => {
  expect(await faultOf('purveyor shops list')).toMatch(/unknown command/)
  expect(await faultOf('purveyor shop list --every')).toMatch(/unknown option/)
  expect(await faultOf('purveyor webhooks show')).toMatch(/missing required argument/)
  expect(await faultOf('npm run -s nothing')).toMatch(/no script/)
  expect(await faultOf('frobnicate')).toMatch(/no known command/)
})

test('an output that a page shows is what the command printed when it was run', () => {
  const recorded = readExamples().map(({ text }) => text)
  const shown = blocksOf('console').flatMap(({ place, code }) =>
    code.split(/^(?=\$ )/m).map((text) => ({ place, text: text.trimEnd() })),
  )
  expect(shown.length).toBeGreaterThan(1)
  for (const { place, text } of shown) expect(recorded, place).toContain(text)
})

test('every output is in a block `console`, so that it is compared', () => {
  // Those of the results are charts.
  const outputs = blocksOf('text').filter(({ path }) => path !== 'docs/results.md')
  expect(outputs.map(({ place }) => place)).toEqual([])
})
