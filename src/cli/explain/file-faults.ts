import type { CodeText } from '../../codes.ts'

/** Faults of a file of shops as a whole. */
export const fileFaults = {
  CSV_UNREADABLE: {
    why: 'A quote opens in the middle of a cell, or is never closed, so the end of the cell is unknown.',
    remedy:
      'Put a cell with quotes, delimiters or line breaks in double quotes, and double every quote in it.',
  },
  COLUMN_UNKNOWN: {
    why: 'The header names a column that `shop import` does not know.',
    remedy:
      'Remove the column, or give it one of these titles: shop, platform_id, hosts, settings, platform_url, platform_language, platform_key, platform_secret.',
  },
  COLUMN_TWICE: {
    why: 'Two columns have one title.',
    remedy: 'Remove one of them.',
  },
  COLUMN_MISSING: {
    why: 'The first line names no column `shop`.',
    remedy: 'Start the file with a header that has a column `shop`.',
  },
  CELLS_MISCOUNTED: {
    why: 'A line has more or fewer cells than the header.',
    remedy: 'Put cells that hold a delimiter in double quotes, and leave out no cell.',
  },
  ROWS_MISSING: {
    why: 'The file has no line below its header.',
    remedy: 'Write one line for each shop.',
  },
  ROWS_TOO_MANY: {
    why: 'The file has more shops than one import can add.',
    remedy: 'Split them into several files.',
  },
  CREDENTIALS_INCOMPLETE: {
    why: 'Of the four columns with the credentials of a shop some are empty, or its settings have credentials too.',
    remedy: 'Fill platform_url, platform_language, platform_key and platform_secret, or none of them.',
  },
} satisfies Record<string, CodeText>

export type FileFault = keyof typeof fileFaults
