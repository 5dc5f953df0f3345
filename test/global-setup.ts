import { builtPackage } from './built.ts'
import { chromiumPath } from './chromium.ts'

/**
 * Once ahead of all tests: the package, which those that start commands build again where the source changes while they run, and the browser,
 * which two processes must not unpack at the same time.
 */
export default async (): Promise<void> => {
  await builtPackage()
  await chromiumPath()
}
