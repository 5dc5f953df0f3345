import { registerHooks } from 'node:module'

// The same provider, whose messages are read by zod alone: what `plainly()` does is left out as the source is loaded.

const line = 'if (!z.util.allowsEval.value) return schema'

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/src/contract/plain-read.ts')) return loaded
    const source = String(loaded.source)
    if (!source.includes(line)) throw new Error(`plain-read.ts has no line ${line}`)
    return { ...loaded, source: source.replace(line, 'return schema') }
  },
})

await import('./purveyor.ts')
