import type { Request, Response } from 'express'
import type { ApiError } from './api-error.ts'
import { send } from './send.ts'

/** Answers with the error body of the platform. */
export function answerError(req: Request, res: Response, { status, message, headers }: ApiError): void {
  const { method, originalUrl: request } = req
  send(req, res.set(headers), { status, body: { error: { code: status, method, request, message } } })
}
