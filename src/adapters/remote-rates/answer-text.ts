const ofType = /charset\s*=\s*"?([^\s;"]+)/i
const ofXml = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)/

/**
 * The text of an answer in the charset that it names: in its `content-type`, or as XML in its first line. UTF-8 without one. Every byte of it
 * is read, or `fault` says why not: no customer sees a title with a letter that was lost.
 */
export function answerText(
  bytes: Uint8Array,
  contentType: string | null,
): { text: string } | { fault: string } {
  const utf8 = decoded(bytes, 'utf-8')
  const charset =
    ofType.exec(contentType ?? '')?.[1] ??
    ofXml.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))?.[1]
  if (charset === undefined) return utf8 ?? { fault: 'is not in UTF-8, and names no charset' }
  const named = /^[\w.:-]{1,40}$/.test(charset) ? charset : 'a charset'
  const own = decoded(bytes, charset)
  if (own === null) return { fault: `is in ${named}, which is unknown` }
  // Servers call UTF-8 so by default. No text in Latin 1 is UTF-8 by chance, unless both read the same.
  if (own?.encoding === 'windows-1252' && utf8) return utf8
  return own ?? { fault: `is not in ${named}, as it says` }
}

/** `null` for a charset that is unknown, `undefined` for bytes that are none of its text. */
function decoded(bytes: Uint8Array, charset: string): { text: string; encoding: string } | null | undefined {
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return { text: decoder.decode(bytes), encoding: decoder.encoding }
  } catch (error) {
    return error instanceof RangeError ? null : undefined
  }
}
