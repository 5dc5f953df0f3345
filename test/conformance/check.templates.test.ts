import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkProvider } from '../../src/conformance/index.ts'
import { withBuiltPackage } from '../built.ts'
import { folderWith, serving } from '../cli/command.ts'
import { endWithProcess } from '../end-with-process.ts'
import { cleanEnv, end, repository } from '../journey/project.ts'
import { sized } from '../long.ts'
import { freePort } from '../ports.ts'
import { serveOrigin } from '../serve-origin.ts'

const env = { NODE_ENV: 'development', PURVEYOR_DATABASE_URL: 'sqlite::memory:', PURVEYOR_LOG_LEVEL: 'error' }

/** Serves a provider's file, and what the checker complains of. */
async function complaintsOf(file: string, more: Record<string, string> = {}) {
  const { ready, child } = serving(folderWith(), { ...env, ...more }, '--provider', join(repository, file))
  const { endpoint } = await ready
  const complaints = await check(endpoint)
  await end(child)
  return complaints
}

async function check(endpoint: string) {
  const { results, about } = await checkProvider(endpoint)
  const complaints = results.filter(({ result }) => result === 'failed' || result === 'advice')
  return { about, complaints: complaints.map(({ name, received }) => `${name}: ${received}`) }
}

describe('the checker has nothing to complain of', () => {
  // The other templates are checked by their own tests too (test/journey/), by all that must hold.
  const all: [string, string[]][] = [
    ['templates/full/provider.ts', ['rates', 'payments']],
    ['examples/rates-table/provider.ts', ['rates']],
    ['templates/rates/provider.ts', ['rates']],
    ['templates/payments/provider.ts', ['payments']],
  ]
  test.concurrent.each(all.slice(0, sized(2, all.length)))('%s', async (file, about) => {
    expect(await complaintsOf(file)).toEqual({ about, complaints: [] })
  })

  test('examples/rates-carrier-api/provider.ts', async () => {
    const answer = readFileSync(join(repository, 'test/examples/shippo.json'))
    const SHIPPO_URL = await serveOrigin((req, res) =>
      req.resume().on('end', () => res.writeHead(201).end(answer)),
    )
    expect(await complaintsOf('examples/rates-carrier-api/provider.ts', { SHIPPO_URL })).toEqual({
      about: ['rates'],
      complaints: [],
    })
  })

  test('examples/mounted/app.ts', async () => {
    const args = [...(await withBuiltPackage()), join(repository, 'examples/mounted/app.ts')]
    const app = spawn(join(repository, 'node_modules/.bin/node'), args, {
      cwd: folderWith(),
      env: cleanEnv({ ...env, PORT: String(await freePort()) }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endWithProcess(app)
    onTestFinished(() => void app.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: app.stdout }), 'line')) as [string]
    expect(await check(line.replace('urlEndpoint: ', ''))).toEqual({ about: ['rates'], complaints: [] })
  })
})
