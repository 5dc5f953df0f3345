import { describe, expect, test } from 'vitest'
import { explanations } from '../../../src/cli/explain/explain.ts'
import { fileFaults } from '../../../src/cli/explain/pages.ts'
import { errorCodes, logCodes, sandboxCodes } from '../../../src/errors/codes.ts'
import { anomalyKinds } from '../../../src/payments/ledger/anomalies.ts'
import { sourcesIn } from '../../sources.ts'
import { commandsIn, printing, saying } from '../command.ts'

const source = sourcesIn()
  .map(({ text }) => text)
  .join('\n')

test('every code in the source has a page that says why and what to do', () => {
  const uses = [
    /\bcode = '([A-Z][A-Z_]+)'/g,
    /new (?:Problem|PurveyorError|PlatformError)\(\s*'([A-Z][A-Z_]+)'/g,
    /\.(?:warn|error)\(\s*\{[^}]*\bcode: '([A-Z][A-Z_]+)'/g,
    /^ {2}\| '([A-Z][A-Z_]+)'$/gm,
  ]
  const codes = new Set(uses.flatMap((use) => [...source.matchAll(use)].map(([, code]) => code!)))
  expect(codes.size).toBeGreaterThan(30)
  const pages = explanations()
  const explained = pages.map(({ code }) => code)
  for (const code of codes) expect(explained).toContain(code)
  for (const { code, where, why, remedy } of pages) {
    expect(where, code).toMatch(/^[a-z]/)
    expect(why, code).toMatch(/^.{10,}\.$/)
    expect(remedy, code).toMatch(/^.{4,}\.$/)
  }
})

test('a code that nothing uses has no page', () => {
  const codes = [errorCodes, logCodes, sandboxCodes, fileFaults, anomalyKinds]
  for (const code of codes.flatMap((texts) => Object.keys(texts)))
    expect(source).toMatch(new RegExp(`\\b${code}\\b`))
})

describe.concurrent('explain', () => {
  const run = commandsIn()

  test('prints a page, in whatever case it is named, and all that share a name', async () => {
    const page = await run('explain host_not_allowed')
    const text = /^HOST_NOT_ALLOWED: answered with status 422[\s\S]*Remedy: Use https/
    expect(page).toMatchObject(printing(0, text))
    expect((await run.out('explain STORE_UNAVAILABLE')).match(/^STORE_UNAVAILABLE:/gm)).toHaveLength(2)
    expect(await run.out('explain urn:purveyor:problem:HOST_NOT_ALLOWED')).toBe(page.out)
    expect(await run.out('explain tls')).toContain('a case of purveyor check (must, spec 2.2)')
    expect(await run.json('explain double_paid')).toMatchObject([{ code: 'double_paid' }])
  })

  test('names what is near, and lists everything', async () => {
    for (const [typed, meant] of [
      ['HOST_FORBIDDEN', 'HOST_NOT_ALLOWED'],
      ['PurveyorWebhookLaneClosed', 'PurveyorWebhookLanesClosed?'],
      ['SECRET_CHANGE', 'SECRET_CHANGED?'],
    ] as const)
      expect(await run(`explain ${typed}`)).toMatchObject(saying(2, `Did you mean ${meant}`))
    expect(await run.out('explain')).toMatch(/^code +where\nBODY_UNREADABLE +answered/)
  })
})
