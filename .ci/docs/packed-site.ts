import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from './site.ts'

/** The package has this as `dist/site/build.js`: it makes the site beside itself, from the pages of the package. */
export async function build(): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  try {
    await buildSite(root, join(root, 'dist/reference'), join(root, 'dist/site'))
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (!syscall) throw error
    const text = `The site cannot be made in the package: ${message}. \`purveyor docs <page>\` prints a page without it.`
    throw Object.assign(new Error(text, { cause: error }), { exitCode: 3 })
  }
}
