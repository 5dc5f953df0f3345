/** The delimiter that the header has most often. A comma in a number of a file with semicolons stays in its cell. */
export function delimiterOf(text: string): string {
  const [header = ''] = text.trimStart().split('\n', 1)
  const uses = (delimiter: string) => header.split(delimiter).length
  return [';', '\t'].reduce((best, one) => (uses(one) > uses(best) ? one : best), ',')
}
