import { expect, test } from 'vitest'
import { fetchExplanation } from '../../../src/sandbox/calls/explanation.ts'
import { serveOrigin } from '../../serve-origin.ts'

const entry = { adapter: 'door', ms: 3, methods: [], leftOut: [], notes: [], calls: [], parcels: [] }
const failure = { what: 'quote failed', message: 'closed', lines: [], frames: [] }

test.each<[object, boolean]>([
  [{ adapters: [entry], failures: [failure] }, true],
  [{ adapters: [] }, true],
  [{ adapters: [{}] }, false],
  [{ adapters: [null] }, false],
  [{ adapters: [{ ...entry, calls: [null] }] }, false],
  [{ adapters: [entry], failures: [{}] }, false],
  [{}, false],
])('an explanation %j is kept where the log can show it', async (said, isKept) => {
  const origin = await serveOrigin((_req, res) => void res.end(JSON.stringify(said)))
  const explanation = await fetchExplanation(origin, 'one')
  expect(explanation).toEqual(isKept ? { failures: [], ...said } : undefined)
})
