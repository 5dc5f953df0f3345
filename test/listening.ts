import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createProvider, type DefaultNeed, type Need, type ProviderOptions } from '../src/index.ts'
import { lastingStore } from './production-store.ts'

/** A provider on a free port of 127.0.0.1 that stops with its test: in development, silent and in memory, unless `options` say otherwise. */
export async function listening<
  R extends Need = DefaultNeed,
  P extends Need = DefaultNeed,
  RS = unknown,
  PS = unknown,
>(options: Partial<ProviderOptions<R, P, RS, PS>> = {}) {
  const provider = createProvider({
    development: true,
    logger: pino({ level: 'silent' }),
    store: lastingStore(),
    ...options,
  } as ProviderOptions)
  onTestFinished(() => provider.stop())
  return { provider, ...(await provider.listen({ port: 0, host: '127.0.0.1' })) }
}

/** A log whose lines from `level` on are kept. */
export function keptLog(level = 'warn') {
  // biome-ignore lint/suspicious/noExplicitAny: fields of a line, looked into freely
  const lines: Record<string, any>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  return { lines, logger: pino({ level }, { write }) }
}
