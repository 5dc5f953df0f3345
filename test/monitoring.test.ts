import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { alerts } from '../src/cli/explain/explain.ts'
import { programOf } from './debian.ts'
import { repository } from './journey/project.ts'
import { observedProvider } from './observability/pair.ts'

const rulesFile = join(repository, 'docs/monitoring/prometheus-rules.yml')
const dashboardFile = join(repository, 'docs/monitoring/grafana-dashboard.json')
const rules = readFileSync(rulesFile, 'utf8')
const ofRules = (field: string) =>
  [...rules.matchAll(new RegExp(`^ {6}(?:- | {2})${field}: (.+)$`, 'gm'))].map(([, value]) => value!)

interface Panel {
  title: string
  gridPos: { x: number; y: number }
  targets: { expr: string }[]
}
const dashboard = JSON.parse(readFileSync(dashboardFile, 'utf8')) as { panels: Panel[] }
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

test('each alert has what it means and what to do above it', () => {
  const names = ofRules('alert')
  expect(names.length).toBeGreaterThan(10)
  expect(Object.keys(alerts)).toEqual(names)
  expect(ofRules('expr')).toHaveLength(names.length)
})

test('every metric that alerts and panels name is one that a provider has, with these labels', async () => {
  const { origin } = await observedProvider()
  const { text } = await supertest(origin).get('/metrics').expect(200)
  // The process that starts workers adds its own.
  const ofWorkers = readFileSync(join(repository, 'src/cli/serve/worker-metrics.ts'), 'utf8')
  const known = new Set([
    ...[...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_count`, `${name}_bucket`, `${name}_sum`] : [name!],
    ),
    ...[...ofWorkers.matchAll(/name: '(\w+)'/g)].map(([, name]) => name!),
  ])
  const source = [
    'src/observability/metrics.ts',
    'src/observability/store-metrics.ts',
    'src/cli/serve/worker-metrics.ts',
  ]
    .map((file) => readFileSync(join(repository, file), 'utf8'))
    .join('\n')
  for (const expr of [...ofRules('expr'), ...queries]) {
    const named = [...expr.matchAll(/\b(?:purveyor|nodejs|process)_\w+/g)].map(([name]) => name)
    expect(named.length, expr).toBeGreaterThan(0)
    for (const name of named) expect(known, expr).toContain(name)
    const labels = [...expr.matchAll(/by \(([^)]*)\)|(\w+)=~?"/g)].flatMap(([, by, label]) =>
      by === undefined ? [label!] : by.split(/, */),
    )
    // Prometheus adds the last two to every series that it scrapes.
    for (const label of labels)
      if (!['le', 'instance', 'job'].includes(label))
        expect(source, `${expr}: ${label}`).toMatch(new RegExp(`\\b${label}\\b`))
    // Whoever writes a label per shop here has seen one that is not there.
    expect(labels).not.toContain('shop')
  }
})

test('the dashboard has a panel in each place, and both files are in the package', () => {
  const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(places.length)
  const { files } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { files: string[] }
  expect(files).toContain('docs')
})

test('a single call at night fires nothing: an alert on a rate of calls has a smallest number of calls', () => {
  const onRates = ofRules('expr').filter((expr) => /\brate\(/.test(expr))
  expect(onRates.length).toBeGreaterThan(1)
  for (const expr of onRates) expect(expr).toMatch(/ and sum[^>]*\(increase\([^>]*\)\) >= [1-9]\d*$/)
  for (const expr of ofRules('expr').filter((one) => one.includes('unavailable')))
    expect(expr).toMatch(/\(increase\([^>]*\)\) >= [1-9]\d*$/)
})

const { program: promtool } = programOf('prometheus', 'promtool', 'PROMTOOL')
const run = (...args: string[]) =>
  spawnSync(promtool!.path, args, { encoding: 'utf8', env: { ...process.env, ...promtool!.env } })

test.runIf(promtool)('promtool finds the rules right', () => {
  const { status, stdout, stderr } = run('check', 'rules', rulesFile)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${ofRules('alert').length} rules found`)
})

test.runIf(promtool)('promtool: alerts fire for many calls that fail or are slow, and not for one', () => {
  const { stdout, stderr, status } = run('test', 'rules', join(repository, 'test/monitoring.rules.yml'))
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})
