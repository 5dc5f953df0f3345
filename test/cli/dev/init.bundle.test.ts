import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { builtPackage } from '../../built.ts'
import { guide } from '../../docs/pages.ts'
import { checkout, payment, shopUrls } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { cleanEnv, end, manifest, node, repository, run, startReady } from '../../journey/project.ts'
import { freePort } from '../../ports.ts'
import { commandsIn, folderWith, production, saying } from '../command.ts'

interface Image {
  app: string
  /** What `node` is called with. */
  command: string[]
  env: NodeJS.ProcessEnv
}

/** A new project of a template. Its test payments count in production too, so that a page is served. */
async function projectOf(template: string): Promise<string> {
  const project = join(folderWith(), 'project')
  await commandsIn()(`init ${project} --template ${template} --no-install`)
  if (template === 'rates') return project
  const file = join(project, 'payments.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace('  developmentOnly: true,\n', ''))
  return project
}

/** `npm ci` installs the bundler that the lock file names, where the stage is not of production; `npx` would fetch the newest one. */
const buildStage =
  /^FROM \S+ AS build\nWORKDIR \/app\nCOPY \. \.\nRUN npm ci && (node_modules\/\.bin\/rolldown) (.*)\n```$/m

/** Puts the bundler where `npm ci` puts it. */
function installBundler(project: string): void {
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(repository, 'node_modules/.bin/rolldown'), join(project, 'node_modules/.bin/rolldown'))
}

/** What the build stage of `docs/deploy.md` and the Dockerfile of a project make, outside of the project: no source, and `purveyor` installed. */
async function bundledImage(project: string): Promise<Image> {
  const { text: page } = guide('deploy')
  // The version that is tested here, in full.
  const tested = manifest.devDependencies.rolldown!.replace('^', '')
  expect(page).toContain(`\`npm install --save-dev --save-exact rolldown@${tested}\``)
  const [, bundler, args = ''] = buildStage.exec(page)!
  installBundler(project)
  await run(join(project, bundler!), args.split(' '), { cwd: project })
  const copies = [...page.matchAll(/`COPY (?:--from=build \/app\/)?(\S+) (dist\/?)`/g)].filter(
    ([, from = '']) => existsSync(join(project, from)),
  )
  expect(page).toContain('`"serve", "--provider", "dist/provider.js"` at the end')
  const app = join(folderWith(), 'app')
  for (const [, from = '', to = ''] of [['', 'package.json', ''], ...copies]) {
    const target = join(app, to.endsWith('/') || to === '' ? `${to}${from}` : to)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(project, from), target, { recursive: true })
  }
  mkdirSync(join(app, 'node_modules'))
  symlinkSync(await builtPackage(), join(app, 'node_modules/purveyor'))
  const [, cmd] = /^CMD (.*)$/m.exec(readFileSync(join(project, 'Dockerfile'), 'utf8'))!
  const [first, ...command] = JSON.parse(cmd!) as string[]
  expect([first, command.at(-1)]).toEqual(['node', 'serve'])
  const port = String(await freePort())
  const env = cleanEnv({ ...production, NODE_ENV: 'production', PORT: port, PURVEYOR_STOP_DELAY: '0' })
  return { app, command: [...command, '--provider', 'dist/provider.js'], env }
}

/** The ids of shipping methods and the words of a payment page, from the tariff and the texts of the languages: files that are read. */
const answers: Record<string, { rates?: string[]; page?: string }> = {
  full: { rates: ['door', 'point'], page: 'betalen - ' },
  rates: { rates: ['door', 'point', 'courier'] },
  payments: { page: 'betalen - ' },
}

test.for(Object.entries(answers))(
  'the image of template %s as one built file answers in production, and a stop ends with code 0',
  async ([template, { rates, page }]) => {
    const { app, command, env } = await bundledImage(await projectOf(template))
    const { child, ready } = startReady(node, [...command, '--json'], app, env)
    atEnd(() => end(child))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await ready
    // A command in the container finds the built file by itself.
    const show = [command[0]!, 'shop', 'show', 'default', '--endpoint', '--json']
    const { stdout } = await run(node, show, { cwd: app, env })
    const url = `http://127.0.0.1:${env.PORT}`
    const { pathname } = new URL(JSON.parse(stdout).endpoints[0].url)
    const post = async (path: string, body: object) => {
      const answer = await postJson(`${url}${pathname}/${path}`, body)
      expect(answer.status).toBe(201)
      return (await answer.json()) as { shipment_methods: { id: string }[]; payment_url: string }
    }
    if (rates) {
      const { shipment_methods } = await post('shipment_methods', checkout)
      expect(shipment_methods.map(({ id }) => id)).toEqual(rates)
    }
    if (page) {
      const { payment_url } = await post('payment', { ...payment({ method: 'test' }), ...shopUrls })
      const headers = { 'accept-language': 'nl' }
      const shown = await fetch(`${url}${new URL(payment_url).pathname}`, { headers })
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(page)])
    }
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  },
)

test('a bundle that takes `purveyor` along says to leave it out', async () => {
  const project = await projectOf('full')
  installBundler(project)
  symlinkSync(await builtPackage(), join(project, 'node_modules/purveyor'))
  const args = ['provider.ts', '--platform', 'node', '--dir', 'dist']
  await run(join(project, 'node_modules/.bin/rolldown'), args, { cwd: project })
  const ended = await commandsIn(project)('serve --provider dist/provider.js --development')
  expect(ended).toMatchObject(saying(3, 'Leave `purveyor` out of the bundle, such as with'))
  expect(ended.err).toContain('purveyor explain PACKAGE_INCOMPLETE')
})
