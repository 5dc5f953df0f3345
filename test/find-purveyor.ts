// Loaded before the tests. `purveyor` is its source here, as examples and the tests of a user import it. Other packages are as users get them:
// Vitest asks for their form for development, which some have in TypeScript, and Node strips no types of a package.
import { registerHooks } from 'node:module'

const src = new URL('../src/', import.meta.url)

registerHooks({
  resolve(specifier, context, next) {
    const [isOurs, entry] = /^purveyor(?:\/([a-z]+))?$/.exec(specifier) ?? []
    if (isOurs === undefined) {
      const conditions = context.conditions.filter((one) => one !== 'development')
      return next(specifier, { ...context, conditions })
    }
    const folder = entry === undefined ? '' : `${entry}/`
    return { url: new URL(`${folder}index.ts`, src).href, shortCircuit: true }
  },
})
