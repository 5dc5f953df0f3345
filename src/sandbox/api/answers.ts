/** An error of the platform's API, in its own error body (wire: `{ error: { code, method, request, message } }`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** An answer of the API before it is written. */
export interface Answer {
  status: number
  body?: Record<string, unknown> | Record<string, unknown>[]
}

export const fine = (body: NonNullable<Answer['body']>): Answer => ({ status: 200, body })
export const created = (body: NonNullable<Answer['body']>): Answer => ({ status: 201, body })

export const notFound = (): ApiError => new ApiError(404, 'There is no record with this id.')

/** Throws a 405 with what the address supports, such as `GET, POST`. */
export function notAllowed(allow: string): never {
  throw new ApiError(405, `This address does not support this method. It supports ${allow}.`, { allow })
}

/** The id of a record; `NaN`, which no record has, for anything else. */
export const idOf = (given: unknown): number =>
  /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN
