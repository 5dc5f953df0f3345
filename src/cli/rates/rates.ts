import { group, json, plain } from '../table.ts'
import { asked, compared, shown, tariffs } from './options.ts'

// The functions load much, so each is in a file of its own.

const diff = plain({
  description: 'compare two tariffs: what gets dearer, cheaper, lost and new, with tax, for one parcel',
  examples: ['purveyor rates diff tariff.csv tariff-2027.csv --fail-on lost,dearer'],
  arguments: tariffs,
  options: compared,
  run: async (given) => (await import('./tariff.ts')).diff(given),
})

const explain = plain({
  description: 'explain why each method is in the answer to a checkout, or is not',
  examples: ['purveyor rates explain', 'purveyor rates explain --file request.json'],
  options: asked,
  run: async (given) => (await import('./explain.ts')).explain(given),
})

const lint = plain({
  description: 'find mistakes, gaps and overlaps in a tariff',
  examples: ['purveyor rates lint tariff.csv'],
  arguments: { '<table>': 'a .csv or .json file' },
  options: json,
  run: async ({ table, json }) => (await import('./tariff.ts')).lint(table, json),
})

const preview = plain({
  description: 'show prices as a grid of destinations and weights',
  examples: [
    'purveyor rates preview tariff.csv',
    'purveyor rates preview --to nl,be:1000 --weights 0.5,2,10',
  ],
  arguments: { '[table]': 'a .csv or .json file; default: the provider' },
  options: shown,
  run: async ({ table, ...given }) => (await import('./preview.ts')).preview(table, given),
})

export const command = group('inspect and explain shipping rates', { diff, explain, lint, preview })
