import { plain } from './table.ts'
import { print } from './terminal/print.ts'
import { UsageError } from './usage.ts'

// Each script asks `purveyor complete` what fits, so it does not change with the commands. The line `:files` stands for names of files.

const bash = `# Completion of purveyor for bash. Try it with: source <(purveyor completion bash)
_purveyor() {
  local answer value description
  COMPREPLY=()
  answer=$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return 0
  if [[ $answer == ':files' ]]; then
    compopt -o default 2>/dev/null
    return 0
  fi
  while IFS=$'\\t' read -r value description; do
    [[ -n $value ]] && COMPREPLY+=("$value")
  done <<<"$answer"
  return 0
}
complete -F _purveyor purveyor`

const zsh = `#compdef purveyor
# Completion of purveyor for zsh. Try it, below compinit, with: source <(purveyor completion zsh)
_purveyor() {
  local line value description
  local -a lines offered
  lines=("\${(@f)$("\${(Q)words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == ':files' ]]; then
    _files
    return
  fi
  for line in $lines; do
    value="\${\${line%%$'\\t'*}//:/\\\\:}"
    description="\${line#*$'\\t'}"
    offered+=("$value\${description:+:$description}")
  done
  (( $#offered )) && _describe 'purveyor' offered
}
if [[ $funcstack[1] == _purveyor ]]; then
  _purveyor "$@"
else
  compdef _purveyor purveyor
fi`

const fish = `# Completion of purveyor for fish. Try it with: purveyor completion fish | source
function __purveyor_offered
    set -l typed (commandline -opc)
    set -l last (commandline -ct)
    type -q $typed[1]; or return
    set -l answer ($typed[1] complete -- $typed[2..-1] "$last" 2>/dev/null)
    if test "$answer" = ':files'
        __fish_complete_path "$last"
    else
        printf '%s\\n' $answer
    end
end
complete -c purveyor -f -a '(__purveyor_offered)'`

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish }

export const command = plain({
  description: 'print a script with which a shell completes commands, options and values',
  examples: ['source <(purveyor completion bash)', 'purveyor completion fish | source'],
  arguments: { '<shell>': 'bash, zsh or fish' },
  onOlderNode: true,
  run({ shell }) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined)
      throw new UsageError(
        `There is no completion for ${shell}. Name one of ${Object.keys(scripts).join(', ')}.`,
      )
    print(false, undefined, () => script.split('\n'))
  },
})
