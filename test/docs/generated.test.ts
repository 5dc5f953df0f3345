import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { alerts } from '../../src/cli/explain/explain.ts'
import { anomalyKinds } from '../../src/payments/ledger/anomalies.ts'
import { repository } from '../journey/project.ts'
import { generated } from './generated.ts'

test.each(Object.entries(generated))(
  '%s is what its source makes: node test/docs/generated.ts',
  (path, page) => {
    expect(readFileSync(join(repository, path), 'utf8')).toBe(page())
  },
)

test('the page for the one on call has each alert and each kind of anomaly', () => {
  const page = readFileSync(join(repository, 'docs/on-call.md'), 'utf8')
  for (const name of [...Object.keys(alerts), ...Object.keys(anomalyKinds)])
    expect(page).toMatch(new RegExp(`^- \`${name}\`: [A-Z\`]`, 'm'))
})
