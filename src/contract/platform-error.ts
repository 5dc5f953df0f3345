import { z } from 'zod'

/** The body of an error of the platform's own API (spec 7 is silent). */
export const platformErrorBody = z
  .looseObject({
    error: z.looseObject({
      code: z.number(),
      method: z.string().optional(),
      request: z.string().optional(),
      message: z.string(),
    }),
  })
  .meta({ id: 'PlatformError', description: 'An error of the API of the platform.' })
