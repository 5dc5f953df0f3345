import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { createProvider, memoryStore } from '../../src/index.ts'
import { runningRegistries } from '../../src/observability/metrics.ts'

interface Metric {
  name: string
  type: string
  help: string
  labels: readonly string[]
}

/** What `/metrics` serves: asked of a provider that runs for a moment, so that none is forgotten. */
export async function metricsPage(): Promise<string> {
  const metrics = [...(await ofProvider()), ...ofWorkers()].toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  const isOwn = ({ name }: Metric) => name.startsWith('purveyor_')
  return [
    '# Metrics',
    '`/metrics` serves them in the format of Prometheus, to requests with the bearer token `http.metricsToken`.',
    '## Of Purveyor',
    ...metrics
      .filter(isOwn)
      .flatMap(({ name, type, help, labels }) => [
        `### ${name}`,
        `${help}.`,
        `A ${type}${labels.length > 0 ? ` with the labels ${labels.map((label) => `\`${label}\``).join(', ')}` : ''}.`,
      ]),
    '## Of the process',
    metrics
      .filter((one) => !isOwn(one))
      .map(({ name, help }) => `- \`${name}\`: ${help}`)
      .join('\n'),
  ].join('\n\n')
}

async function ofProvider(): Promise<Metric[]> {
  const provider = createProvider({
    publicUrl: 'http://127.0.0.1:3000',
    store: memoryStore(),
    logger: pino({ enabled: false }),
    rates: { name: 'courier', quote: () => [] },
  })
  await provider.start()
  const [registry] = runningRegistries()
  const typed = new Map(
    [...(await registry!.metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]),
  )
  const found = registry!.getMetricsAsArray() as unknown as {
    name: string
    help: string
    labelNames?: readonly string[]
  }[]
  await provider.stop()
  return found.map(({ name, help, labelNames = [] }) => ({
    name,
    help,
    type: typed.get(name) ?? 'gauge',
    labels: labelNames,
  }))
}

/** The process that starts workers adds its own, which exist only beside workers. */
function ofWorkers(): Metric[] {
  const source = readFileSync(new URL('../../src/cli/serve/worker-metrics.ts', import.meta.url), 'utf8')
  const written =
    /new (Gauge|Counter)\(\{[^}]*?name: '(\w+)',\s*help: '([^']+)',(?:\s*labelNames: \[([^\]]*)\])?/g
  return [...source.matchAll(written)].map(([, type = '', name = '', help = '', labels = '']) => ({
    name,
    help,
    type: type.toLowerCase(),
    labels: [...labels.matchAll(/'(\w+)'/g)].map(([, label]) => label!),
  }))
}
