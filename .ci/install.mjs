// Runs before `npm start`, `npm test`, `npm run build` and others with whatever Node started npm (20 or newer), so it imports nothing
// but the standard library. Installs the lock file's packages when they are missing or older than it.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

const installed = 'node_modules/.package-lock.json'
const current = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs

if (!current) {
  console.error('Installing what package-lock.json names (once) ...')
  const npm = process.env.npm_execpath
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []]
  const { status } = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.exit(status ?? 1)
}
