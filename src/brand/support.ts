/** The address of a link to the support: an https address as it is, `mailto:` or `tel:`. `undefined` for anything else. */
export function supportAddress(text: string): string | undefined {
  if (text.length > 300) return undefined
  if (/^[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text)) return `mailto:${text}`
  if (/^\+?[\d ()./-]{5,30}$/.test(text)) return `tel:${text.replaceAll(/[^\d+]/g, '')}`
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.username === '' && !/\s/.test(text) ? text : undefined
}
