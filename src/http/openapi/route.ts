import type { Request, Response } from 'express'
import type { Workings } from '../../use-cases/workings.ts'

/** Serves the document. It is made once, at the first request: strangers can ask for it, and it takes 15 ms. */
export function openApiRoute(workings: Workings) {
  let made: Promise<object> | undefined
  return async (_req: Request, res: Response) => {
    made ??= documentOf(workings).catch((error: unknown) => {
      made = undefined
      throw error
    })
    res.json(await made)
  }
}

async function documentOf({ publicUrl }: Workings): Promise<object> {
  const [{ openApiDocument }, { version }] = await Promise.all([
    import('./document.ts'),
    import('../../version.ts'),
  ])
  return openApiDocument({ publicUrl, version })
}
