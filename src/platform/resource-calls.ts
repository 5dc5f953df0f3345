import { createHash } from 'node:crypto'
import { type ResourceCall, type ResourceEvent, readResourceEvent } from '../contract/resource-event.ts'
import { PurveyorError, wrongCall } from '../errors.ts'
import { isSame, mustHave } from './verifiers.ts'

/** Whether the signature is over this body. */
export type BodyVerifier = (body: Buffer, signature: string) => boolean | Promise<boolean>

/** MD5 in hex over the body and the app's secret, as platforms of this family sign their resource events. */
export const md5OfBody = (body: Buffer | string, secret: string): Buffer =>
  createHash('md5').update(body).update(secret).digest()

/** MD5 in hex over the body and the app's secret. Throws `ARGUMENT_INVALID` without a secret. */
export const md5Body = (secret: string): BodyVerifier => {
  mustHave(secret)
  return (body, signature) => isSame(md5OfBody(body, secret), signature)
}

/** Rules for verifying the call of a resource event. */
export interface ResourceCallRules {
  /** Required: `md5Body(secret)`, or your own. */
  verifier: BodyVerifier
}

/**
 * Verifies the signature of a resource event (header `X-Signature`) and reads it. `body` is the received bytes, unchanged. Rejects with
 * `CALLBACK_PARAMETER_MISSING`, `CALLBACK_SIGNATURE_WRONG` or `CALLBACK_BODY_UNREADABLE`, and with `ARGUMENT_INVALID` without a verifier.
 */
export async function verifyResourceCall(
  call: ResourceCall,
  { verifier }: ResourceCallRules,
): Promise<ResourceEvent> {
  if (typeof verifier !== 'function')
    throw wrongCall('verifyResourceCall() needs a verifier, such as md5Body(secret)')
  const refused = (code: 'MISSING' | 'WRONG' | 'UNREADABLE', place: string, what: string) => {
    const codes = {
      MISSING: 'CALLBACK_PARAMETER_MISSING',
      WRONG: 'CALLBACK_SIGNATURE_WRONG',
      UNREADABLE: 'CALLBACK_BODY_UNREADABLE',
    } as const
    return new PurveyorError(codes[code], what, { place })
  }
  const signature = call.headers['x-signature']
  if (typeof signature !== 'string' || signature === '')
    throw refused('MISSING', 'x-signature', 'the header X-Signature is missing')
  const genuine = await verifier(Buffer.from(call.body), signature)
  if (genuine !== true) throw refused('WRONG', 'x-signature', "X-Signature is not the platform's")
  const event = readResourceEvent(call)
  if (typeof event === 'string') throw refused('UNREADABLE', 'body', `the resource event: ${event}`)
  return event
}
