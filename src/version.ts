import { readFileSync } from 'node:fs'

/** The version of this package. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The deployment's name of this build, such as a commit or the tag of an image: `PURVEYOR_BUILD`, in letters, digits and `._+-`. */
export const buildOf = ({ PURVEYOR_BUILD: build = '' }: NodeJS.ProcessEnv): string =>
  /^[\w.+-]{1,64}$/.test(build) ? build : ''
