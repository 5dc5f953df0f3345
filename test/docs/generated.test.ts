import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from '../../.ci/docs/page.ts'
import { alerts } from '../../src/cli/explain/explain.ts'
import { repository } from '../journey/project.ts'
import { generated } from './generated.ts'

test.each(Object.entries(generated))(
  '%s is what its source makes: node test/docs/generated.ts',
  (path, page) => {
    expect(readFileSync(join(repository, path), 'utf8')).toBe(page())
  },
)

test('each alert has a section of the runbook', () => {
  const { headings } = readPage(join(repository, 'docs/alerts.md'))
  const sections = headings.filter(({ level }) => level === 2).map(({ text }) => text)
  expect(sections).toEqual([...Object.keys(alerts()), 'Next'])
})
