const maxAnswer = 1024 * 1024

interface Fetched {
  /** Not set without an answer. */
  response?: Response
  /** Empty where it is larger than 1 MB, decoded. */
  text: string
  /** Of the error that ended the connection, such as `ECONNRESET`. */
  code?: string
  /** Why there is no answer, or no text of it. */
  failure?: string
}

/** Calls an address and reads the text of its answer; follows no redirect. `timeout` is in milliseconds. Never rejects. */
export async function fetchText(url: string, init: RequestInit, timeout: number): Promise<Fetched> {
  try {
    const signal = AbortSignal.timeout(timeout)
    const response = await fetch(url, { redirect: 'manual', signal, ...init })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxAnswer) return { response, text: '', failure: 'the answer is larger than 1 MB' }
      chunks.push(chunk)
    }
    return { response, text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    const { name, cause, message } = error as Error & { cause?: { code?: string } }
    if (name === 'TimeoutError') return { text: '', failure: `no answer within ${timeout / 1000} s` }
    const code = cause?.code ?? message
    return { text: '', code, failure: `no connection (${code})` }
  }
}
