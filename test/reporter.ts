import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** What a run of tests leaves for `npm test`. */
export interface Report {
  passed: number
  failed: string[]
  /** Tests that failed once and then passed. */
  retried: string[]
  /** Seconds of each file. */
  files: [path: string, seconds: number][]
}

/** Writes the report of a run to the file that `PURVEYOR_TEST_REPORT` names. */
export default class ReportWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const report: Report = { passed: 0, failed: [], retried: [], files: [] }
    for (const module of modules) {
      const path = module.relativeModuleId
      // A file that does not load has no tests.
      if (module.errors().length > 0) report.failed.push(path)
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        const name = `${path} > ${test.fullName}`
        if (state === 'passed') report.passed++
        if (state === 'failed') report.failed.push(name)
        if (test.diagnostic()?.flaky) report.retried.push(name)
      }
      report.files.push([path, Math.round(module.diagnostic().duration / 1000)])
    }
    writeFileSync(process.env.PURVEYOR_TEST_REPORT!, JSON.stringify(report))
  }
}
