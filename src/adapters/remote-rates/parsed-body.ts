/** The JSON of a carrier's answer; `undefined` for what is not JSON. */
export function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
