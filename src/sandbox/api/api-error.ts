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
