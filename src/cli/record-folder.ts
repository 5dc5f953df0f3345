import { folderFault } from '../sandbox/recording/record.ts'
import { UsageError } from './usage.ts'

/** Refuses a folder of `--record` that cannot hold a recording, before anything starts. */
export function checkRecordFolder(folder: string | undefined): void {
  const fault = folder === undefined ? undefined : folderFault(folder)
  if (fault !== undefined) throw new UsageError(fault)
}
