import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { shipmentMethodsAnswer } from '../../src/contract/index.ts'
import { withBuiltPackage } from '../built.ts'
import { endWithProcess } from '../end-with-process.ts'
import { folderWith } from '../folder.ts'
import { checkout } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { cleanEnv, repository } from '../journey/project.ts'
import { freePort } from '../ports.ts'

test('the mounted provider answers beside the app that was there before, and ends well', async () => {
  const port = await freePort()
  const args = [...(await withBuiltPackage()), join(repository, 'examples/mounted/app.ts')]
  const app = spawn(join(repository, 'node_modules/.bin/node'), args, {
    cwd: folderWith(),
    env: cleanEnv({ PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithProcess(app)
  const ended = once(app, 'exit')
  onTestFinished(() => void app.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: app.stdout }), 'line')) as [string]
  const endpoint = line.replace('urlEndpoint: ', '')
  expect(endpoint).toMatch(new RegExp(`^http://127.0.0.1:${port}/checkout/e/`))

  const answer = await postJson(`${endpoint}/shipment_methods`, checkout)
  expect(answer.status).toBe(201)
  expect(shipmentMethodsAnswer.parse(await answer.json()).shipment_methods).toMatchObject([
    { title: 'Letterbox parcel', price_incl: 3.95 },
  ])
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('The app that was here before')
  app.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
