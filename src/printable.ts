/**
 * Characters that steer a terminal, or hide or reorder text: controls (C0, DEL, C1), formats (bidirectional marks, zero width), fillers and
 * selectors that show nothing, line and paragraph separators, halves of a pair.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]/gu

/** As JSON, JavaScript and bash write it: `\u001b`. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at).toString(16)
    return `\\u${unit.padStart(4, '0')}`
  }).join('')

/** Text of a stranger on one line, safe to show anywhere: characters that steer, hide or reorder are escaped. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

/** The same for text that has lines of its own. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/** JSON on one line: every value survives, and nothing in it steers a terminal. */
export const printableJson = (value: unknown): string => printable(JSON.stringify(value))

/** One argument of a shell command. Characters that cannot be shown are escaped, as bash and zsh read them. */
export function shellArgument(text: string): string {
  const shown = printable(text)
  if (shown === text) return `'${text.replaceAll("'", `'\\''`)}'`
  return `$'${printable(text.replace(/[\\']/g, '\\$&'))}'`
}

/** A call as a line for the shell. `flags` stand in front, such as `-i`. */
export function curlLine(
  call: { method: string; url: string; headers: Record<string, string>; body?: string | undefined },
  ...flags: string[]
): string {
  const { method, url, headers, body } = call
  const parts = ['curl', ...flags, ...(method === 'GET' ? [] : ['-X', method]), shellArgument(url)]
  for (const [name, value] of Object.entries(headers)) parts.push('-H', shellArgument(`${name}: ${value}`))
  if (body !== undefined) parts.push('--data-binary', shellArgument(body))
  return parts.join(' ')
}

/** The status of an answer to one of our calls, for an error: `302, a redirect, which is not followed`. */
export const answeredStatus = (status: number): string =>
  [301, 302, 303, 307, 308].includes(status) ? `${status}, a redirect, which is not followed` : `${status}`

/** `1 payment`, `2 payments`. Takes the plural of a noun that has no plain `s`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

const units = [
  { words: (count: number) => counted(count, 'day'), size: 86_400_000 },
  { words: (count: number) => `${count} h`, size: 3_600_000 },
  { words: (count: number) => `${count} min`, size: 60_000 },
  { words: (count: number) => `${count} s`, size: 1_000 },
] as const

/** A length of time in its largest unit and the next one, to the second: `2 h`, `1 h 5 min`, `3 days 4 h`. Takes milliseconds, 0 or more. */
export function duration(ms: number): string {
  let left = Math.round(ms / 1_000) * 1_000
  const parts = units.map(({ words, size }) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? words(count) : ''
  })
  const shown = parts.slice(parts.findIndex((part) => part !== '')).slice(0, 2)
  return shown.filter((part) => part !== '').join(' ') || '0 s'
}

/** The text with a capital letter at its start. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A readable time, in UTC to the second: `2026-03-02 09:15:00`. */
export const time = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19)
