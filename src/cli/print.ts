/** What people read, or with `--json` what programs read: one JSON value on one line. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  console.log(json ? JSON.stringify(value) : text())
}

/** Rows in columns as wide as their widest value. */
export function table(titles: string[], rows: string[][], none: string): string {
  if (rows.length === 0) return none
  const all = [titles, ...rows]
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((value, column) => value.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const time = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19)
