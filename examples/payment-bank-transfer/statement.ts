// Reads a bank statement (CSV with the columns id, date, amount, currency, description) and reports every transfer that carries a
// reference. Several transfers of one order add up, and running it again changes nothing: the bank's id of a transfer counts once.
// Try it, once `npm run build` has made the package: node_modules/.bin/node examples/payment-bank-transfer/statement.ts statement.csv
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import provider from './provider.ts'

interface Row {
  id: string
  date: string
  amount: string
  currency: string
  description: string
}

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Name a statement: node statement.ts statement.csv')
  process.exit(2)
}

await provider.start()
const rows: Row[] = parse(readFileSync(file, 'utf8'), { columns: true, trim: true, skip_empty_lines: true })
for (const { id: event, date, amount, currency, description } of rows) {
  const [reference] = /\bPV[0-9A-F]{10}\b/.exec(description.toUpperCase()) ?? []
  if (!reference) continue
  const report = { status: 'paid', amount, currency, event, detail: `statement of ${date}` } as const
  const status = await provider.payments
    .report({ adapter: 'bank', reference }, report)
    .catch((error: Error) => error.message)
  console.log(`${reference}  ${amount} ${currency}  ${status}`)
}
await provider.stop()
