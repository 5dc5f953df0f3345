import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explanations } from '../../../src/cli/explain/explain.ts'
import { fileFaults } from '../../../src/cli/explain/pages.ts'
import { errorCodes, logCodes, sandboxCodes } from '../../../src/codes.ts'
import { anomalyKinds } from '../../../src/payments/anomalies.ts'
import { repository } from '../../journey/project.ts'
import { purveyor, saying } from '../command.ts'

const src = join(repository, 'src')
const source = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(src, file), 'utf8'))
  .join('\n')

test('every code in the source has a page that says why and what to do', () => {
  const codes = new Set([
    ...[...source.matchAll(/\bcode = '([A-Z][A-Z_]+)'/g)].map(([, code]) => code!),
    ...[...source.matchAll(/new (?:Problem|PurveyorError|PlatformError)\(\s*'([A-Z][A-Z_]+)'/g)].map(
      ([, code]) => code!,
    ),
    ...[...source.matchAll(/\.(?:warn|error)\(\s*\{[^}]*\bcode: '([A-Z][A-Z_]+)'/g)].map(([, code]) => code!),
    ...[...source.matchAll(/^ {2}\| '([A-Z][A-Z_]+)'$/gm)].map(([, code]) => code!),
  ])
  expect(codes.size).toBeGreaterThan(30)
  const pages = explanations()
  for (const code of codes) {
    const page = pages.find((one) => one.code === code)
    expect(page, code).toBeDefined()
  }
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
  test('prints a page, in whatever case it is named, and all that share a name', async () => {
    const { code, stdout } = await purveyor(['explain', 'host_not_allowed'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^HOST_NOT_ALLOWED: answered with status 422[\s\S]*Remedy: Use https/),
    ])
    expect(
      (await purveyor(['explain', 'STORE_UNAVAILABLE'])).stdout.match(/^STORE_UNAVAILABLE:/gm),
    ).toHaveLength(2)
    expect((await purveyor(['explain', 'urn:purveyor:problem:HOST_NOT_ALLOWED'])).stdout).toBe(stdout)
    expect((await purveyor(['explain', 'tls'])).stdout).toContain('a case of purveyor check (must, spec 2.2)')
    expect(JSON.parse((await purveyor(['explain', 'double_paid', '--json'])).stdout)).toMatchObject([
      { code: 'double_paid' },
    ])
  })

  test('names what is near, and lists everything', async () => {
    expect(await purveyor(['explain', 'HOST_FORBIDDEN'])).toMatchObject(
      saying(2, 'Did you mean HOST_NOT_ALLOWED'),
    )
    for (const [typed, meant] of [
      ['PurveyorWebhookLaneClosed', 'PurveyorWebhookLanesClosed'],
      ['SECRET_CHANGE', 'SECRET_CHANGED'],
    ] as const)
      expect(await purveyor(['explain', typed])).toMatchObject(saying(2, `Did you mean ${meant}?`))
    expect((await purveyor(['explain'])).stdout).toMatch(/^code +where\nBODY_UNREADABLE +answered/)
  })
})
