import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Calls on a connection of `agent`, or on one of its own: posts a body, if there is one. `sent` runs once that was sent. */
export async function callOn(agent: Agent | false, url: string, body?: object, sent?: () => void) {
  const headers = { 'content-type': 'application/json' }
  const call = request(url, { agent, headers, method: body ? 'POST' : 'GET' })
  const [answer] = (await once(call.end(body && JSON.stringify(body), sent), 'response')) as [IncomingMessage]
  const { statusCode: status, headers: answered } = answer
  return { status, connection: answered.connection, body: await text(answer) }
}
