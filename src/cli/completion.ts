import { readFileSync } from 'node:fs'
import { plain } from './table.ts'
import { print } from './terminal/print.ts'
import { UsageError } from './usage.ts'

// Each script asks `purveyor complete` what fits, so it does not change with the commands. The line `:files` stands for names of files.

export const shells = ['bash', 'zsh', 'fish']

export const command = plain({
  description: 'print a script with which a shell completes commands, options and values',
  examples: ['source <(purveyor completion bash)', 'purveyor completion fish | source'],
  arguments: { '<shell>': 'bash, zsh or fish' },
  onOlderNode: true,
  run({ shell }) {
    if (!shells.includes(shell))
      throw new UsageError(`There is no completion for ${shell}. Name one of ${shells.join(', ')}.`)
    const script = readFileSync(new URL(`./completion/${shell}`, import.meta.url), 'utf8')
    print(false, undefined, () => script.trimEnd().split('\n'))
  },
})
