import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createProvider } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'
import { loadCommands } from '../cli/command-names.ts'
import { misunderstood, wordsOf } from '../cli/understand.ts'
import { type DebianProgram, fromDebian } from '../debian.ts'
import { folderWith } from '../folder.ts'
import { compiled, manifest, repository } from '../journey/project.ts'
import { freePort } from '../ports.ts'
import { guide } from './pages.ts'

const read = (file: string) => readFileSync(join(repository, 'docs/deploy', file), 'utf8')
const dockerfile = readFileSync(join(repository, 'templates/full/Dockerfile'), 'utf8')

/** From the end of `stopDelay` the calls under way have this long. */
const lastCalls = 5_000

// Tests set it for all providers.
vi.stubEnv('PURVEYOR_STOP_DELAY', undefined)

/** The default in production, in milliseconds. */
const stopDelay = inspect(
  createProvider({
    publicUrl: 'https://provider.example.org',
    secret: 'a secret of the test, random enough to start with 4711',
    store: 'sqlite::memory:',
    rates: { name: 'none', quote: () => [] },
  }),
).describe().stopDelay
vi.unstubAllEnvs()

const manifests = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJS()
})
const ofKind = (kind: string) => manifests.find((one) => one.kind === kind)

test('the Kubernetes manifests have the fields of its API, with their types', async () => {
  const modules: Record<string, string> = {
    Deployment: 'apps/v1',
    Service: 'core/v1',
    PodDisruptionBudget: 'policy/v1',
    Ingress: 'networking/v1',
  }
  expect(manifests.map(({ kind }) => kind)).toEqual(Object.keys(modules))
  const lines = manifests.flatMap((manifest, at) => [
    `import type { ${manifest.kind} } from 'kubernetes-types/${modules[manifest.kind]}.d.ts'`,
    `export const manifest${at}: ${manifest.kind} = ${JSON.stringify(manifest)}`,
  ])
  const tsconfig = { extends: '../../../tsconfig.json', include: ['*.ts'], exclude: [] }
  const files = { 'manifests.ts': lines.join('\n'), 'tsconfig.json': tsconfig }
  expect(await compiled(folderWith(files, join(repository, 'node_modules/.cache')))).toBe('')
})

test('two nodes with probes run as an unprivileged user, and the secrets come from a Secret', () => {
  const { spec } = ofKind('Deployment')
  expect(spec.replicas).toBe(2)
  const pod = spec.template.spec
  const [container] = pod.containers
  expect(container.livenessProbe.httpGet.path).toBe('/health/live')
  expect(container.readinessProbe.httpGet.path).toBe('/health/ready')
  expect(container.envFrom).toEqual([{ secretRef: { name: 'provider' } }])
  const variables = container.env as { name: string; value: string }[]
  const environment = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  expect(Object.keys(environment).filter((name) => /SECRET|DATABASE|TOKEN/.test(name))).toEqual([])
  expect(environment.PORT).toBe(String(container.ports[0].containerPort))
  // `node` of the image of the templates.
  expect(dockerfile).toMatch(/^USER node$/m)
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  const delay = Number(environment.PURVEYOR_STOP_DELAY)
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(delay + lastCalls)
  // A balancer learns that a node stops before its port closes.
  const { periodSeconds, failureThreshold, timeoutSeconds } = container.readinessProbe
  expect(delay).toBeGreaterThan((periodSeconds * failureThreshold + timeoutSeconds) * 1000)
})

test('the parts of the manifests belong together', () => {
  const labels = ofKind('Deployment').spec.template.metadata.labels
  expect(ofKind('Deployment').spec.selector.matchLabels).toEqual(labels)
  expect(ofKind('Service').spec.selector).toEqual(labels)
  expect(ofKind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
  const { service } = ofKind('Ingress').spec.rules[0].http.paths[0].backend
  expect(service).toEqual({ name: ofKind('Service').metadata.name, port: { name: 'http' } })
})

test('the default of stopDelay is that of production', () => {
  expect(stopDelay).toBe(5_000)
})

test('Compose keeps the store in a volume, and waits long enough for a stop', () => {
  const { services, volumes } = parse(read('compose.yaml'))
  const { provider } = services
  const [volume, path] = provider.volumes[0].split(':')
  expect(Object.keys(volumes)).toEqual([volume])
  expect(dockerfile).toContain(`VOLUME ${path}`)
  expect(provider.ports).toEqual([`127.0.0.1:${provider.environment.PORT}:3000`])
  expect(Number.parseInt(provider.stop_grace_period, 10) * 1000).toBeGreaterThan(stopDelay + lastCalls)
})

const unit = Object.fromEntries(
  [...read('provider.service').matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
)

test('the unit starts Node itself, keeps its store where it may write, and waits for a stop', () => {
  // `npm install --save-prod node@24`, as the page says: `npm ci --omit=dev` keeps it.
  expect(unit.ExecStart).toMatch(
    /^\/opt\/provider\/node_modules\/node\/bin\/node node_modules\/purveyor\/dist\/cli\/main\.js serve/,
  )
  expect(unit.WorkingDirectory).toBe('/opt/provider')
  expect(unit.ExecStart).toContain(manifest.bin.purveyor!.replace('./', ''))
  expect(read('provider.service')).toContain(`sqlite:/var/lib/${unit.StateDirectory}/`)
  expect(unit.ReadWritePaths).toBeUndefined()
  expect(Number(unit.TimeoutStopSec) * 1000).toBeGreaterThan(stopDelay + lastCalls)
  expect(unit.ExecReload).toContain('-HUP')
})

const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(canVerify)('systemd knows every setting of the unit', () => {
  const args = ['verify', join(repository, 'docs/deploy/provider.service')]
  const { stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  // Other units of the machine, and whether that Node is on it, are not looked at.
  const own = stderr.split('\n').filter((line) => /provider\.service:\d+:/.test(line))
  expect(own).toEqual([])
})

test('the image of the tools runs the command on the Node that it needs, and the page calls it rightly', async () => {
  const tools = read('tools.Dockerfile')
  const { bin, engines } = manifest
  expect(tools).toMatch(new RegExp(`^FROM node:${/\d+/.exec(engines.node)}-slim$`, 'm'))
  // The user of the image, who may not change the package.
  expect(tools.indexOf('\nUSER node\n')).toBeGreaterThan(tools.indexOf('npm install'))
  const [command] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(tools)![1]!)
  expect(Object.keys(bin)).toContain(command)
  const { text } = guide('deploy')
  const [, argument] = /--build-arg (\w+)=/.exec(text) ?? []
  const installs = `^ARG ${argument}=${command}$[^]*npm install --global .*"\\$${argument}"$`
  expect(tools).toMatch(new RegExp(installs, 'm'))
  const calls = [...text.matchAll(/^docker run (?:--rm|-it|--network host| )+ purveyor (.*)$/gm)]
  expect(calls).toHaveLength(2)
  const commands = await loadCommands()
  for (const [, call = ''] of calls) expect(await misunderstood(commands, wordsOf(call))).toBeUndefined()
})

describe('the log of a proxy', () => {
  const blockOf = (language: string) => guide('proxy').blocks.find((one) => one.language === language)!.code
  const addresses =
    '/e/TOKEN/payment /p/TOKEN/return?x=TOKEN /n/psp/TOKEN /w/TOKEN //e//TOKEN /base/P/TOKEN/done'.split(' ')

  test('has no token of any address, by the patterns of the page', () => {
    const patterns = [...blockOf('nginx').matchAll(/"~\*(.*)" "\$\w+\*\*\*";/g)].map(([, one]) => one)
    const [uri = '', referer = ''] = patterns
    expect(patterns).toHaveLength(2)
    const [, ofCaddy = ''] = /regexp "\(\?i\)(.*)" "\$\{1\}\*\*\*"/.exec(blockOf('caddy')) ?? []
    for (const address of addresses) {
      expect(new RegExp(uri, 'i').exec(address)?.groups?.shown).not.toContain('TOKEN')
      const from = new RegExp(referer, 'i').exec(`https://x.example${address}`)?.groups?.from
      expect(from).not.toContain('TOKEN')
      expect(address.replace(new RegExp(ofCaddy, 'i'), '$1***')).not.toContain('TOKEN')
    }
    const { annotations } = ofKind('Ingress').metadata
    expect(annotations['nginx.ingress.kubernetes.io/enable-access-log']).toBe('false')
  })

  /** Calls all addresses through a proxy, whose provider is away, and resolves with its logs once it has ended. */
  async function logsOf(
    { path, env }: DebianProgram,
    argumentsFor: (folder: string, port: number) => string[],
  ) {
    const folder = folderWith()
    const port = await freePort()
    const environment = { ...process.env, HOME: folder, ...env }
    const proxy = spawn(path, argumentsFor(folder, port), { stdio: 'ignore', env: environment })
    const ended = once(proxy, 'exit')
    const call = (address: string) =>
      fetch(`http://127.0.0.1:${port}${address}`, { headers: { referer: `https://x.example${address}` } })
    const status = (address: string) => call(address).then((answer) => answer.status, String)
    await expect.poll(() => status('/health/live'), { timeout: 60_000 }).toBeTypeOf('number')
    for (const address of addresses) expect(await status(address)).toBe(502)
    proxy.kill('SIGTERM')
    await ended
    const logs = globSync('*.log', { cwd: folder })
    return logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  }
  /** The one of this machine, else that of Debian's package. */
  const programFor = (name: string, flag: string): DebianProgram | undefined =>
    spawnSync(name, [flag]).status === 0 ? { path: name, env: {} } : fromDebian(name, name).program
  const nginx = programFor('nginx', '-v')
  const caddy = programFor('caddy', 'version')

  test.runIf(nginx)('has no token with nginx', async () => {
    const logs = await logsOf(nginx!, (folder, port) => {
      const block = blockOf('nginx')
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
        .replace(/ +ssl_certificate.*\n/g, '')
        .replaceAll('/var/log/nginx/', `${folder}/`)
        .replace('127.0.0.1:3000', '127.0.0.1:1')
      const parts = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const temporary = parts.map((of) => `${of}_temp_path ${folder};`).join(' ')
      const all = `daemon off; pid ${folder}/pid; error_log ${folder}/main.log; events {}\nhttp {${temporary}\n${block}}`
      writeFileSync(join(folder, 'nginx.conf'), all)
      return ['-e', `${folder}/start.log`, '-c', join(folder, 'nginx.conf')]
    })
    expect(logs).toContain('"GET /n/***" 502')
    expect(logs).not.toContain('TOKEN')
  })

  test.runIf(caddy)('has no token with Caddy', async () => {
    const logs = await logsOf(caddy!, (folder, port) => {
      const block = blockOf('caddy')
        .replace('log default {', `admin off\nlog default {\noutput file ${folder}/caddy.log`)
        .replace('provider.example.org', `http://127.0.0.1:${port}`)
        .replace('127.0.0.1:3000', '127.0.0.1:1')
      writeFileSync(join(folder, 'Caddyfile'), block)
      return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    })
    expect(logs).toContain('"uri":"/n/***"')
    expect(logs).not.toContain('TOKEN')
  })
})
