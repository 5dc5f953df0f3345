/** Posts JSON, as a platform does. */
export const postJson = (
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Posts the fields of a form, as a browser does. The answer may lead on: nothing is followed. */
export const postForm = (
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })

/** Starts a payment. Resolves with the address that its customer goes to. */
export async function paymentUrl(endpoint: string, order: object): Promise<string> {
  const answer = await postJson(`${endpoint}/payment`, order)
  return ((await answer.json()) as { payment_url: string }).payment_url
}

/** What a shop reads when it asks for an order. */
export async function statusOf(endpoint: string, order: string | number = 1001): Promise<string> {
  const answer = await fetch(`${endpoint}/payment/${order}`)
  return ((await answer.json()) as { status: string }).status
}
