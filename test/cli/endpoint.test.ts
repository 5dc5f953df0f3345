import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cleanEnv, end, repository } from '../journey/project.ts'
import { folderWith, providerSource, purveyor, running } from './command.ts'

const address = /\/e\/[\w-]{43}/
const live = {
  NODE_ENV: 'production',
  PORT: '0',
  PURVEYOR_SECRET: 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe',
  PURVEYOR_PUBLIC_URL: 'https://checkout.example.com',
}

describe.concurrent('what serve prints of the endpoint', { timeout: 60_000 }, () => {
  test.each([
    ['one process', []],
    ['workers', ['--workers', '2']],
  ])('%s without a terminal: no token, and the command that shows it', async (_what, more) => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { child, output, printed, ended } = running(['serve', ...more], { cwd, env: live })
    await printed('Endpoint')
    expect(output.stdout).toContain('https://checkout.example.com')
    expect(output.stdout).toContain('Services  shipment, payment')
    const [, command = ''] = /purveyor (shop show default --endpoint)/.exec(output.stdout) ?? []
    const shown = await purveyor(command.split(' '), { cwd, env: live })
    expect(shown.stdout).toMatch(/https:\/\/checkout\.example\.com\/e\/[\w-]{43}/)
    child.kill('SIGTERM')
    await ended
    expect(`${output.stdout}${output.stderr}`).not.toMatch(address)
  })

  test('the JSON line without a terminal has no token either', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { ready, output } = running(['serve', '--json'], { cwd, env: live })
    expect(await ready).toEqual({
      ready: true,
      url: 'https://checkout.example.com',
      shop: 'default',
      services: ['shipment', 'payment'],
      port: expect.any(Number),
    })
    expect(`${output.stdout}${output.stderr}`).not.toMatch(address)
  })

  test('--show-endpoint prints it', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const json = running(['serve', '--json', '--show-endpoint'], { cwd, env: live })
    expect((await json.ready).endpoint).toMatch(address)
    const text = running(['serve', '--show-endpoint', '--workers', '1'], { cwd, env: live })
    await text.printed((await json.ready).endpoint)
  })

  // `script` of util-linux runs a command on a terminal of its own.
  test.skipIf(process.platform !== 'linux')('a terminal shows it', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const [node, main] = ['node_modules/.bin/node', 'src/cli/main.ts'].map((path) => join(repository, path))
    const child = spawn('script', ['-qec', `${node} ${main} serve`, '/dev/null'], {
      cwd,
      env: cleanEnv(live),
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
    onTestFinished(() => end(child))
    let shown = ''
    for await (const chunk of child.stdout) {
      shown += chunk
      // Ctrl+C, once the line of the endpoint is there.
      if (/Endpoint[^\n]*\n/.test(shown)) child.stdin.write('\x03')
    }
    expect(shown).toMatch(address)
  })
})
