import { productionRules } from '../../provider/production-rules.ts'
import { type DoctorCheck, failIn, ok, skipped } from './check.ts'

const names = [...new Set(Object.values(productionRules).map(({ check }) => check))]

/** One check for each thing that production has a rule about, and one for whether production starts. */
export const productionChecks: DoctorCheck[] = [
  ...names.map((name) => ({
    name,
    look({ inspection, production }: Parameters<DoctorCheck['look']>[0]) {
      const broken = inspection.brokenRules().find(({ check }) => check === name)
      return broken
        ? failIn(production, `${broken.place} ${broken.text}`, broken.remedy)
        : ok('Fit for production')
    },
  })),
  {
    name: 'production gate',
    look({ inspection, production }) {
      const count = inspection.brokenRules().length
      if (!production) return skipped('Run with --production')
      return count === 0
        ? ok('serve would start')
        : failIn(
            true,
            `${count} rules of production are broken`,
            'Correct them: a start in production is refused',
          )
    },
  },
]
