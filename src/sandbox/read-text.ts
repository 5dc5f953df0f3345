const maxAnswer = 1024 * 1024

/** The text of a provider's answer; `cut`, and no text, where it is larger than 1 MB, decoded. */
export async function readText(response: Response): Promise<{ text: string; cut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxAnswer) return { text: '', cut: true }
    chunks.push(chunk)
  }
  return { text: Buffer.concat(chunks).toString('utf8'), cut: false }
}
