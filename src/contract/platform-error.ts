import { z } from 'zod'

/** How a platform answers an error of its own API (spec 7 is silent). */
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
