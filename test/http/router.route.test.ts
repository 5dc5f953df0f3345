import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { openApiRoute } from '../../src/http/router.ts'

test('the document is made once, so that strangers who ask for it cost little', async () => {
  const route = openApiRoute({ publicUrl: 'https://provider.example' })
  const sent = new Set<unknown>()
  const res = { json: (document: unknown) => sent.add(document) } as unknown as Response
  for (let call = 0; call < 3; call++) await route({} as Request, res)
  expect([...sent]).toEqual([expect.objectContaining({ servers: expect.anything() })])
})
