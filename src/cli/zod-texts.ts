import module from 'node:module'

const line = /^export \{ default as (\w+) \} from "(\.\/[\w-]+\.js)";$/

/**
 * Loads zod's messages of other languages when one of them is first used. At its start zod loads the files of all 60 languages. That
 * takes a tenth of the CPU time of a short command. A provider finds each of them in `z.locales` as ever.
 *
 * There is no plainer way: `zod`, `zod/mini`, `zod/v4` and `zod/v4/core` all load the list, and the package exports no module without it.
 */
export function loadTextsLate(): void {
  // Node 20, on which only `init` runs, has no such hooks.
  module.registerHooks?.({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith('/zod/v4/locales/index.js')) return loaded
      const late = lateTexts(String(loaded.source), url)
      return late === undefined ? loaded : { ...loaded, source: late }
    },
  })
}

/** The list of languages as functions that load their file; `undefined` for a list of any other form, which is left as it is. */
export function lateTexts(source: string, url: string): string | undefined {
  const languages = source
    .trim()
    .split('\n')
    .map((text) => line.exec(text))
  if (!languages.every((language) => language !== null)) return undefined
  return [
    "import { createRequire } from 'node:module'",
    `const require = createRequire(${JSON.stringify(url)})`,
    ...languages.map(([, name, file]) => `export const ${name} = () => require('${file}').default()`),
  ]
    .map((text) => `${text}\n`)
    .join('')
}
