import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { main } from './cli/command.ts'
import { folderWith } from './folder.ts'
import { repository } from './journey/project.ts'

const source = `
import { startReady } from ${JSON.stringify(new URL('./journey/project.ts', import.meta.url).href)}
const { child, ready } = startReady(process.execPath, [${JSON.stringify(main)}, 'dev', '--port', '0', '--json'], ${JSON.stringify(folderWith())})
const { url } = await ready
console.log(JSON.stringify({ pid: child.pid, url }))
`

// As a terminal does: the test has the signal, and what it started in another group has none.
test.each(['SIGINT', 'SIGKILL'] as const)('after %s of a test no provider of it runs', async (signal) => {
  const starting = spawn(`${repository}/node_modules/.bin/node`, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void starting.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: starting.stdout }), 'line')) as [string]
  const { pid, url } = JSON.parse(line) as { pid: number; url: string }
  onTestFinished(() => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // As it should be, it has ended.
    }
  })
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  starting.kill(signal)
  await expect
    .poll(
      () =>
        fetch(`${url}/health/live`).then(
          () => 'answers',
          () => 'gone',
        ),
      { timeout: 100_000 },
    )
    .toBe('gone')
})
