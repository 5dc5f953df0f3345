// Runs before `npm start`, `npm test`, `npm run build` and others with whatever Node started npm, so it imports nothing but the standard
// library. Installs the lock file's packages when they are missing or older than it.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

const oldestNode = 20
const installed = 'node_modules/.package-lock.json'

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.error(
    `Purveyor needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}. Install a newer one.`,
  )
  process.exit(1)
}

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync('package-lock.json').mtimeMs) {
  console.error('Installing what package-lock.json names (once) ...')
  const npm = process.env.npm_execpath
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []]
  const { status } = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) {
    console.error(
      'The packages are not installed. npm needs its registry: check the network, or `npm config get proxy`. Then run the same command again.',
    )
    process.exit(1)
  }
}
