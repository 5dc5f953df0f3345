import { readFileSync } from 'node:fs'
import { oneOf, plain } from './table.ts'
import { print } from './terminal/print.ts'

// Each script asks `purveyor complete` what fits, so it does not change with the commands. The line `:files` stands for names of files.

export const command = plain({
  description: 'print a script that lets a shell complete commands, options and values',
  examples: ['source <(purveyor completion bash)', 'purveyor completion fish | source'],
  arguments: { '<shell>': oneOf('the shell that loads it', ['bash', 'zsh', 'fish']) },
  onOlderNode: true,
  run({ shell }) {
    const script = readFileSync(new URL(`./completion/${shell}`, import.meta.url), 'utf8')
    print(false, undefined, () => script.trimEnd().split('\n'))
  },
})
