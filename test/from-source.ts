// For `node --import`: `purveyor` is this working copy, which is not installed anywhere.
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const [named, entry = ''] = /^purveyor(\/\w+)?$/.exec(specifier) ?? []
    if (!named) return next(specifier, context)

    return { url: new URL(`../src${entry}/index.ts`, import.meta.url).href, shortCircuit: true }
  },
})
