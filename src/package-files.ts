import { fileURLToPath } from 'node:url'
import { PurveyorError } from './errors.ts'

/** Reads a file or folder of this package. Throws `PACKAGE_INCOMPLETE` if that fails: a bundle takes the code and leaves files behind. */
export function packageFile<T>(place: URL, read: (place: URL) => T): T {
  try {
    return read(place)
  } catch (cause) {
    throw new PurveyorError('PACKAGE_INCOMPLETE', undefined, { place: fileURLToPath(place), cause })
  }
}
