import { builtPackage } from './built.ts'

/** Once ahead of all tests: where the source changes while they run, those that start commands build it again. */
export default async (): Promise<void> => {
  await builtPackage()
}
