import { counted } from '../../printable.ts'
import { productionRules } from '../../provider/production-rules.ts'
import { type Checks, fail, type Look, ok, skipped, warn } from './check.ts'

const names = [...new Set(Object.values(productionRules).map(({ check }) => check))]

/** A broken rule is a fault in production, and a warning before. */
const lookFor =
  (name: string): Look =>
  ({ inspection, production }) => {
    const broken = inspection.brokenRules().find(({ check }) => check === name)
    if (!broken) return ok('Fit for production')
    return (production ? fail : warn)(`${broken.place} ${broken.text}`, broken.remedy)
  }

/** One check for each thing that production has a rule about, and one for whether production starts. */
export const productionChecks: Checks = {
  ...Object.fromEntries(names.map((name) => [name, lookFor(name)])),
  'production gate'({ inspection, production }) {
    const count = inspection.brokenRules().length
    if (!production) return skipped('Run with --production')
    return count === 0
      ? ok('serve would start')
      : fail(`Broken: ${counted(count, 'rule')} of production`, 'Correct them: a start is refused')
  },
}
