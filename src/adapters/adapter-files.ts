import type { Log } from '../world.ts'

/** A file that an adapter has in use. */
export interface AdapterFile {
  file: string
  /** The number of its lines or points. */
  size: number
  /** Changes with its content. Without it the audit trail does not say when it changed. */
  version?: string | undefined
  /** Why the file as it is now cannot be used. The last content without a fault stays in use. */
  fault?: FileFault
}

/** The fault of a changed file. */
export interface FileFault {
  /** Since when, in milliseconds since 1970. */
  since: number
  /** Every fault, each with its line and the name of the column. */
  message: string
}

/** The files of an adapter. */
export interface AdapterFiles {
  /** Loads what has changed. Called every second while the provider runs. Never rejects. */
  look(ctx: { now(): number; log: Log }): Promise<void>
  /** The files in use. */
  list(): readonly AdapterFile[]
}
