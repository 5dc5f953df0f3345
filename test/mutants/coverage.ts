// A set-up file of Vitest: notes which functions of `src` a test file calls, where MUTANTS_COVERAGE names a file to write.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { afterAll } from 'vitest'

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

afterAll(() => {
  const called: Record<string, string[]> = {}
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error
    for (const { url, functions } of answer.result) {
      const [, file] = /(src\/[^?]+\.ts)/.exec(url) ?? []
      if (!file) continue
      called[file] = functions
        .filter(({ ranges }) => ranges[0]!.count > 0)
        .map(({ functionName }) => functionName)
    }
  })
  writeFileSync(process.env.MUTANTS_COVERAGE!, JSON.stringify(called))
})
