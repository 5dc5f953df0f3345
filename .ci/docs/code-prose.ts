import { parseSync, Visitor } from 'oxc-parser'

/** A text for people in a file of code. */
export interface CodeText {
  line: number
  text: string
}

/** Fewer words are a name, a key or a fragment of SQL. */
const fewestWords = 5

/** The comments and messages of a file: a message is a string of several words. */
export function textsIn(file: string, code: string): CodeText[] {
  const { program, comments } = parseSync(file, code)
  const lineAt = (place: number) => code.slice(0, place).split('\n').length
  const found = joined(
    comments.map(({ type, value, start, end }) => ({ type, value, start, end })),
    code,
  )
    .filter(({ value }) => !/biome-ignore|@ts-|eslint/.test(value))
    .map(({ value, start }) => ({ line: lineAt(start), text: plain(value) }))
  const message = (text: string, start: number) => {
    if (text.split(/\s+/).length >= fewestWords && !isCode(text)) found.push({ line: lineAt(start), text })
  }
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') message(value, start)
    },
    TemplateLiteral({ quasis, start }) {
      // A value stands as one word.
      message(quasis.map(({ value }) => value.cooked ?? '').join('`x`'), start)
    },
  }).visit(program)
  return found
}

interface Commented {
  type: string
  value: string
  start: number
  end: number
}

/** Lines of one comment as one text. */
function joined(comments: readonly Commented[], code: string): Commented[] {
  const found: Commented[] = []
  for (const one of comments) {
    const last = found.at(-1)
    const follows =
      last?.type === 'Line' && one.type === 'Line' && /^\n\s*$/.test(code.slice(last.end, one.start))
    if (follows) Object.assign(last, { value: `${last.value} ${one.value}`, end: one.end })
    else found.push({ ...one })
  }
  return found
}

const plain = (comment: string): string =>
  comment
    .replace(/^\s*\*+ ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** SQL, HTML and styles are made of words too. */
const isCode = (text: string): boolean =>
  /<\w|[{}]|\b(select|insert|update|delete|create|alter|with|where)\b/i.test(text)
