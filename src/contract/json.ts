/** The value of a text in JSON, or any other text as it is. */
export function jsonOrText(text: string): unknown {
  const json = jsonIn(text)
  return json === undefined ? text : json
}

/** The value of a text in JSON; `undefined` for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
