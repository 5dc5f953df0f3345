import { runTests } from '../run-tests.ts'

/** Runs the tests in their long form; `npm test` runs the short one. Without `files` all of them. */
export async function runLongTests(files: readonly string[]): Promise<{ passed: number; failed: number }> {
  process.env.TEST_FORM = 'long'
  const { passed, failed } = await runTests(files)
  return { passed, failed: failed.length }
}
