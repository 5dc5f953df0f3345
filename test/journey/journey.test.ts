import type { ChildProcess } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import type { Browser, Page } from 'playwright-core'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage } from '../../.ci/docs/page.ts'
import { builtDocs, builtPackage } from '../built.ts'
import { startChromium } from '../chromium.ts'
import { production } from '../cli/command.ts'
import { checkout } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { linkCommands, linkDependencies } from '../linked-project.ts'
import { isLong, sized } from '../long.ts'
import { freePort } from '../ports.ts'
import { buildImage, isHealthy, runImage } from './image.ts'
import { cleanEnv, end, manifest, node, type Ready, repository, run, startReady } from './project.ts'
import { stagePackage } from './staged.ts'

let folder: string
let tarball: string
let size: PackedSize
let shop: string
let child: ChildProcess
let ready: Ready
let browser: Browser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purveyor-journey-'))
  ;({ tarball, size } = await packed(folder))
  shop = join(folder, 'shop')
  // The three commands of README: init, cd, npm run dev.
  const init = ['purveyor', 'init', 'shop', '--template', 'full', '-y']
  if (isLong) await run('npx', ['--yes', '--package', tarball, ...init], { cwd: folder, env: cleanEnv() })
  else await installed(tarball, init)
  const started = startReady('npm', ['run', 'dev', '--', '--port', '0', '--json'], shop)
  child = started.child
  ;[ready, browser] = await Promise.all([started.ready, startChromium()])
})

afterAll(async () => {
  await end(child)
  // A process that just ended may still have written into its cache.
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** In bytes: `size` is that of the file that is downloaded. */
type PackedSize = Record<'size' | 'unpackedSize', number>

/** The package as it is published; made from what other tests have built too, unless the build itself is under test. */
async function packed(folder: string): Promise<{ tarball: string; size: PackedSize }> {
  const from = isLong ? repository : join(folder, 'package')
  if (!isLong) await stagePackage(from)
  const args = ['pack', '--json', '--pack-destination', folder, ...(isLong ? [] : ['--ignore-scripts'])]
  const { stdout } = await run('npm', args, { cwd: from, env: cleanEnv() })
  const [{ filename, ...size }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return { tarball: join(folder, filename), size }
}

/**
 * The long form lets npm install what is packed. The short form unpacks it, beside links to the packages that npm would install: that takes
 * 13 s of CPU less.
 */
async function installed(tarball: string, init: string[]): Promise<void> {
  const main = join(await builtPackage(), 'dist/cli/main.js')
  await run(node, [main, ...init.slice(1), '--no-install'], { cwd: folder, env: cleanEnv() })
  const { devDependencies } = JSON.parse(await readFile(join(shop, 'package.json'), 'utf8'))
  const others = Object.keys(devDependencies)
  linkDependencies(shop, others)
  const own = join(shop, 'node_modules/purveyor')
  await mkdir(own)
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', own])
  linkCommands(shop, ['purveyor', ...others])
}

const inPackage = () => join(shop, 'node_modules/purveyor')

/** Runs the command of the project. What opens a browser only notes the address. */
const inShop = (...words: string[]) => {
  const [command = '', ...before] = isLong
    ? ['npx', 'purveyor']
    : ['node', 'purveyor'].map((name) => join(shop, 'node_modules/.bin', name))
  const env = cleanEnv()
  env.PATH = `${join(folder, 'browsers')}:${env.PATH}`
  return run(command, [...before, ...words], { cwd: shop, env })
}

async function withPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const page = await browser.newPage()
  page.setDefaultTimeout(300_000)
  try {
    return await use(page)
  } finally {
    await page.close()
  }
}

/** From the cart to the provider's payment page. */
async function checkOut(page: Page): Promise<void> {
  await page.goto(ready.sandbox)
  await page.getByRole('button', { name: 'Checkout' }).click()
  await page.getByLabel('At a service point').check()
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.waitForURL(`${ready.url}/p/**`)
}

test('the package has its documentation: pages and reference', async () => {
  const { stdout } = await inShop('docs', 'createProvider')
  expect(stdout).toMatch(
    /^### createProvider\n[\s\S]*function createProvider[\s\S]*\(purveyor docs reference\/exports-purveyor\)/,
  )
  for (const file of ['docs/start.md', 'examples/rates-table/README.md'])
    expect((await readFile(join(inPackage(), file), 'utf8')).length, file).toBeGreaterThan(100)
})

test('every link of the pages in the package leads to a file of it', async () => {
  const places = ['docs/*.md', 'dist/reference/*.md', 'examples/*/*.md', 'SECURITY.md', 'CHANGELOG.md']
  const pages = globSync(places, { cwd: inPackage() })
  expect(pages.length).toBeGreaterThan(90)
  const missing = pages.flatMap((page) =>
    readPage(join(inPackage(), page)).links.flatMap(({ href }) => {
      const [file = ''] = href.split('#')
      const isThere = /^(https:|mailto:|$)/.test(file) || existsSync(join(inPackage(), dirname(page), file))
      return isThere ? [] : [`${page}: ${href}`]
    }),
  )
  expect(missing).toEqual([])
})

test('the site is made from the package by the first call that opens it, the same as in the repository', async () => {
  const browsers = join(folder, 'browsers')
  await mkdir(browsers)
  for (const name of ['open', 'xdg-open']) {
    await writeFile(join(browsers, name), `#!/bin/sh\necho "$1" >> '${folder}/opened'\n`)
    await chmod(join(browsers, name), 0o755)
  }
  const { stdout } = await inShop('docs', 'shop', 'add', '--open', '--json')
  const { opened } = JSON.parse(stdout)
  const page = 'dist/site/reference/command-shop.html#purveyor-shop-add'
  expect(opened).toBe(join(await realpath(inPackage()), page))
  await expect.poll(() => readFile(join(folder, 'opened'), 'utf8').catch(() => '')).toBe(`file://${opened}\n`)
  const files = (site: string) => globSync('**/*.{html,css,js,svg}', { cwd: site }).sort()
  const [made, all] = [join(inPackage(), 'dist/site'), join(await builtDocs(), 'site')]
  // The package leaves out pages for people who change Purveyor.
  const left = /^project\/(architecture|contributing)\.html$/
  const shown = files(all).filter((file) => !left.test(file))
  expect(files(made).filter((file) => file !== 'build.js')).toEqual(shown)
})

test('a cart shows estimated rates', () =>
  withPage(async (page) => {
    await page.goto(ready.sandbox)
    await page.getByRole('button', { name: 'Estimate shipping' }).click()
    await page.getByText('At your door').waitFor()
    expect(await page.getByText('€7.01').count()).toBe(1)
    await page.getByLabel('Country').selectOption('us')
    await page.getByRole('button', { name: 'Estimate shipping' }).click()
    await page.getByText('The provider estimates no shipping there').waitFor()
  }))

test('a slow payment is pending first and turns paid through the webhook, without a reload', () =>
  withPage(async (page) => {
    await checkOut(page)
    await page.getByRole('button', { name: 'Pending' }).click()
    await page.waitForURL(`${ready.sandbox}/orders/*`)
    await page.getByRole('heading', { name: 'is pending' }).waitFor()
    await page.evaluate('window.sameDocument = true')
    await page.getByRole('heading', { name: 'is paid' }).waitFor()
    expect(await page.evaluate('window.sameDocument')).toBe(true)
    await page.goto(`${ready.sandbox}/log`)
    expect(await page.getByText('Webhook', { exact: true }).count()).toBeGreaterThan(0)
    expect(await page.locator('.faults li').allTextContents()).toEqual([])
  }))

test('after a cancelled payment the customer pays again, for the same order', () =>
  withPage(async (page) => {
    await checkOut(page)
    await page.getByRole('button', { name: 'Cancelled' }).click()
    const title = await page.getByRole('heading', { name: 'was cancelled' }).textContent()
    await page.getByRole('button', { name: 'Pay €' }).click()
    await page.waitForURL(`${ready.url}/p/**`)
    await page.getByRole('button', { name: 'Paid' }).click()
    await page
      .getByRole('heading', { name: title!.replace('is not paid: the payment was cancelled', 'is paid') })
      .waitFor()
  }))

test('what is published carries no install script and starts on the command line', async () => {
  const published = JSON.parse(await readFile(join(inPackage(), 'package.json'), 'utf8'))
  for (const script of ['install', 'postinstall'])
    expect(Object.keys(published.scripts)).not.toContain(script)
  const lockFile = isLong
    ? join(shop, 'node_modules/.package-lock.json')
    : join(repository, 'package-lock.json')
  const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>
  }
  const scripts = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript && !entry.dev)
  expect(scripts.map(([name]) => name)).toEqual([])
  const { stdout } = await run(join(shop, 'node_modules/.bin/purveyor'), ['--version'], { env: cleanEnv() })
  expect(stdout.trim()).toBe(published.version)
})

test('what is published is small', () => {
  expect(size.size).toBeLessThanOrEqual(1_300_000)
  expect(size.unpackedSize).toBeLessThanOrEqual(4_200_000)
})

test('what is published holds everything its package.json names', async () => {
  const { messages } = await publint({ pkgDir: inPackage(), pack: false })
  expect(messages).toEqual([])
})

test('the types of what is published are found at every entry point', async () => {
  // test/cli/dev/init.types.test.ts compiles a use of every entry point.
  const entrypoints = isLong ? Object.keys(manifest.exports) : ['.', './testing']
  const types = await checkPackage(createPackageFromTarballData(await readFile(tarball)), { entrypoints })
  if (!types.types) throw new Error('there are no types')
  expect(Object.keys(types.entrypoints)).toEqual(entrypoints)
  // The package is ESM: `require` loads it in the Node that it needs, and resolvers older than "exports" do not know its paths.
  const usual = new Set(['NoResolution node10', 'CJSResolvesToESM node16-cjs'])
  const problems = types.problems.filter(
    (one) => !('resolutionKind' in one && usual.has(`${one.kind} ${one.resolutionKind}`)),
  )
  expect(problems).toEqual([])
})

test.runIf(isLong)(
  'the image of a template runs Node as process 1, with files in folders, and a stop is seen before it comes',
  async () => {
    const context = join(folder, 'context')
    await cp(shop, context, { recursive: true, filter: (path) => !/\/(node_modules|data)$/.test(path) })
    await mkdir(join(context, 'carriers/own'), { recursive: true })
    await rename(join(context, 'rates.ts'), join(context, 'carriers/own/rates.ts'))
    const source = await readFile(join(context, 'provider.ts'), 'utf8')
    const moved = source.replace('./rates.ts', './carriers/own/rates.ts')
    await writeFile(join(context, 'provider.ts'), `console.log('process ' + process.pid)\n${moved}`)
    for (const file of ['.env', 'carriers/own/.env.local'])
      await writeFile(join(context, file), 'PURVEYOR_SECRET=short')
    await mkdir(join(context, 'carriers/node_modules/left'), { recursive: true })
    const image = await buildImage(context, join(folder, 'image'))
    const copied = await readdir(image.folder)
    expect(copied).toContain('.env.example')
    for (const secret of ['.env', 'Dockerfile', 'provider.test.ts']) expect(copied).not.toContain(secret)
    const carriers = await readdir(join(image.folder, 'carriers'), { recursive: true })
    expect(carriers).toEqual(['own', 'own/rates.ts'])
    expect(await readdir(join(image.folder, 'node_modules'))).not.toContain('node')

    const port = await freePort()
    const env = { ...production, PORT: String(port), PURVEYOR_STOP_DELAY: '8000' }
    expect(isHealthy(image, env)).toBe(false)
    const { child: container, ended, kill } = runImage(image, env)
    let said = ''
    for (const stream of [container.stdout, container.stderr]) stream.on('data', (text) => (said += text))
    const url = `http://127.0.0.1:${port}`
    const ready = () => fetch(`${url}/health/ready`).then(({ status }) => status, String)
    try {
      await expect.poll(ready, { timeout: 300_000 }).toBe(200)
      if (process.getuid?.() === 0) expect(said).toContain('process 1\n')
      expect(isHealthy(image, env)).toBe(true)
      const show = 'node_modules/purveyor/dist/cli/main.js shop show default --endpoint --json'
      const where = { cwd: image.folder, env: cleanEnv({ ...image.env, ...env }) }
      const { stdout } = await run(process.execPath, show.split(' '), where)
      const { pathname } = new URL(JSON.parse(stdout.slice(stdout.indexOf('{'))).endpoints[0].url)
      kill('SIGTERM')
      await expect.poll(ready).toBe(503)
      const answer = await postJson(`${url}${pathname}/shipment_methods`, checkout)
      expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close'])
      expect(await ended).toBe(0)
    } finally {
      await end(container, 'SIGKILL')
    }
  },
)

// The short form leaves that of `full` to test/docs/fresh-clone.test.ts.
const templates = ['rates', 'payments', 'full'].slice(0, sized(2, 3))
test.concurrent.each(templates)('template %s passes its own tests', async (template) => {
  const project = template === 'full' ? shop : join(folder, template)
  if (template !== 'full') {
    const init = ['init', project, '--template', template, '-y', '--no-install']
    await run(join(shop, 'node_modules/.bin/purveyor'), init, { cwd: folder, env: cleanEnv() })
    await symlink(join(shop, 'node_modules'), join(project, 'node_modules'))
  }
  // `tsc` takes as long as the tests. The short form compiles all templates at once, in test/cli/dev/init.types.test.ts.
  const [command, arg] = isLong ? ['npm', 'test'] : [join(shop, 'node_modules/.bin/node'), '--test']
  const where = { cwd: project, env: cleanEnv() }
  const { stdout, stderr } = await run(command, [arg], where).catch((error) => error)
  expect(stdout).toMatch(/pass [1-9]/)
  expect(stdout).toMatch(/fail 0/)
  // Lines of the log are JSON. The runner shows those of a test file in its output.
  expect(stdout + stderr).not.toMatch(/^\{"level"/m)
})

test('the tests of a project fail where its types are wrong', async () => {
  await writeFile(join(shop, 'sum.ts'), "import { decimal } from 'purveyor'\n\ndecimal('1').nonsense()\n")
  const { stdout } = await run('npm', ['test'], { cwd: shop, env: cleanEnv() }).catch((error) => error)
  await rm(join(shop, 'sum.ts'))
  expect(stdout.match(/^.*error TS.*$/gm)).toEqual([
    expect.stringMatching(/^sum\.ts.*Property 'nonsense' does not exist on type 'Big'/),
  ])
  expect(stdout).not.toMatch(/pass [1-9]/)
})
