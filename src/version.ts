import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PurveyorError } from './errors/errors.ts'

/** The version of this package. */
export const { version } = packageFile(new URL('../package.json', import.meta.url), (place) => {
  const { name, version } = JSON.parse(readFileSync(place, 'utf8')) as { name: string; version: string }
  if (name !== 'purveyor') throw new Error('This package.json is of another package')
  return { version }
})

/** The deployment's name of this build, such as a commit or the tag of an image: `PURVEYOR_BUILD`, in letters, digits and `._+-`. */
export const buildOf = ({ PURVEYOR_BUILD: build = '' }: NodeJS.ProcessEnv): string =>
  /^[\w.+-]{1,64}$/.test(build) ? build : ''

/** Reads a file or folder of this package. Throws `PACKAGE_INCOMPLETE` if that fails: a bundle takes the code and leaves files behind. */
export function packageFile<T>(place: URL, read: (place: URL) => T): T {
  try {
    return read(place)
  } catch (cause) {
    throw new PurveyorError('PACKAGE_INCOMPLETE', undefined, { place: fileURLToPath(place), cause })
  }
}
