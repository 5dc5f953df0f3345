import type { Request, Response } from 'express'
import type { Workings } from '../../use-cases/workings.ts'

/** Serves the document. Its generator is loaded at the first request. */
export const openApiRoute = (workings: Workings) => async (_req: Request, res: Response) => {
  const [{ openApiDocument }, { version }] = await Promise.all([
    import('./document.ts'),
    import('../../version.ts'),
  ])
  res.json(openApiDocument({ publicUrl: workings.publicUrl, version }))
}
