// `npm run -s prose`: lists sentences over 30 words, words that the glossary retired, and sentences that open with a riddle, for the
// writer to look at. Without names: all pages, the pages of `explain`, the help of commands, and the comments and messages of the code. With names: those files.
import { globSync, readFileSync } from 'node:fs'
import { explanations } from '../../src/cli/explain/explain.ts'
import { commands } from '../../src/cli/groups.ts'
import type { Command } from '../../src/cli/table.ts'
import { textsIn } from './code-prose.ts'
import { type Finding, findingsIn, sentencesOf, split } from './prose.ts'

const named = process.argv.slice(2)
const files =
  named.length > 0 ? named : globSync(['*.md', 'docs/*.md', '{examples,templates}/*/README.md']).sort()
const found: { place: string; finding: Finding }[] = []

for (const file of files)
  for (const finding of findingsIn(sentencesOf(readFileSync(file, 'utf8'))))
    found.push({ place: `${file}:${finding.line}`, finding })

const look = (place: string, text: string) => {
  for (const finding of findingsIn(split(text).map((one) => ({ line: 0, text: one }))))
    found.push({ place, finding })
}
const lookAtHelp = (
  path: string,
  { description, commands: below = {}, options = {}, arguments: words = {} }: Command,
) => {
  const texts = [description, ...Object.values(options), ...Object.values(words)]
  for (const text of texts) look(`purveyor ${path} --help`, String(text))
  for (const [name, one] of Object.entries(below)) lookAtHelp(`${path} ${name}`, one)
}
if (named.length === 0) {
  for (const { code, why, remedy } of explanations()) look(`purveyor explain ${code}`, `${why} ${remedy}`)
  for (const [name, load] of Object.entries(commands)) lookAtHelp(name, (await load()).command)
  for (const file of globSync('{src,examples,templates}/**/*.ts').sort())
    for (const { line, text } of textsIn(file, readFileSync(file, 'utf8'))) look(`${file}:${line}`, text)
}

for (const { place, finding } of found)
  console.log(`${place}  ${finding.what}: ${finding.detail}\n    ${finding.sentence}`)
const count = (what: Finding['what']) => found.filter(({ finding }) => finding.what === what).length
console.log(
  `${count('long')} long sentences, ${count('retired')} retired words, ${count('opening')} openings to look at`,
)
