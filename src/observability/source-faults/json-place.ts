/**
 * Where a text stops being JSON: its line and column, from 1. `undefined` for JSON. JSON.parse itself names no position for most faults: the
 * longest beginning that could still become JSON ends there.
 */
export function jsonFaultAt(text: string): { line: number; column: number } | undefined {
  if (canContinue(text) && !isIncomplete(text)) return undefined
  let [good, bad] = [0, text.length]
  if (canContinue(text)) good = bad
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (canContinue(text.slice(0, middle))) good = middle
    else bad = middle
  }
  const before = text.slice(0, good).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

function isIncomplete(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

/** Whether more text could make it JSON. */
function canContinue(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    const [, at] = /at position (\d+)/.exec(message) ?? []
    return message.startsWith('Unexpected end of JSON') || message.startsWith('Unterminated string')
      ? true
      : Number(at) >= text.length
  }
}
