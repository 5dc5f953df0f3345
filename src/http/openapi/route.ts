import type { Request, Response } from 'express'
import type { Provider } from '../../use-cases/provider.ts'

/** Answers the document; what makes it is loaded when it is first asked for. */
export const openApiRoute = (provider: Provider) => async (_req: Request, res: Response) => {
  const [{ openApiDocument }, { version }] = await Promise.all([
    import('./document.ts'),
    import('../../version.ts'),
  ])
  res.json(openApiDocument({ publicUrl: provider.publicUrl, version }))
}
