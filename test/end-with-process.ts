import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/** Kills the processes and groups that are left when its input ends. A line is the target of `kill`, a `-` in front takes it back. */
const script = `
left=
while read -r sign target; do
  [ "$sign" = + ] && left="$left $target" && continue
  still=
  for one in $left; do [ "$one" = "$target" ] || still="$still $one"; done
  left=$still
done
for one in $left; do kill -KILL "$one"; done`

let watcher: Socket | undefined

/** Of another group, so that Ctrl+C does not end it before this process has ended. */
function watch(): Socket {
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.unref()
  const input = child.stdin as Socket
  input.unref()
  return input
}

/**
 * Ends a child with this process, however this one ends. Neither Ctrl+C nor the end of this process reaches a child in a group of its own,
 * which `isGroup` says: its whole group ends then.
 */
export function endWithProcess(child: ChildProcess, { isGroup = false } = {}): void {
  if (child.pid === undefined) return
  const target = isGroup ? -child.pid : child.pid
  watcher ??= watch()
  const input = watcher
  input.write(`+ ${target}\n`)
  child.once('exit', () => input.write(`- ${target}\n`))
}
