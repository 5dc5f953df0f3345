import type { TestProject } from 'vitest/node'
import { builtPackage } from './built.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the package that tests of commands run: what users run. */
    builtPackage: string
  }
}

export default async ({ provide }: TestProject): Promise<void> => {
  provide('builtPackage', await builtPackage())
}
