import type { LocalText } from '../../adapters/local-text.ts'
import { type Day, plusDays } from '../zoned-time.ts'
import type { PickupPoint } from './points.ts'

const languages: Readonly<Record<string, { locale?: string; closed: string }>> = {
  en: { locale: 'en-GB', closed: 'closed on {days}' },
  nl: { closed: 'gesloten op {days}' },
  de: { closed: 'geschlossen am {days}' },
  fr: { closed: 'fermé le {days}' },
  es: { closed: 'cerrado el {days}' },
}
/** The days that are looked ahead at. */
const ahead = 7

export const isClosedForLong = ({ closed = [] }: PickupPoint, today: Day): boolean =>
  closed.length >= ahead && nextDays(today).every((day) => closed.includes(day))

const nextDays = (today: Day): Day[] => Array.from({ length: ahead }, (_, index) => plusDays(today, index))

/** Distance, opening hours and the closed days of the next week, in five languages. `undefined` if nothing is known. */
export function pointText(
  point: PickupPoint,
  kilometres: number | undefined,
  today: Day,
): LocalText | undefined {
  const closed = nextDays(today).filter((day) => point.closed?.includes(day))
  const texts = Object.entries(languages).map(([language, { locale = language, closed: words }]) => {
    const parts = [
      kilometres === undefined ? undefined : distanceText(kilometres, locale),
      point.opening_hours,
      closed.length === 0
        ? undefined
        : words.replace('{days}', closed.map((day) => dayText(day, locale)).join(', ')),
    ]
    return [language, parts.filter(Boolean).join(' · ')]
  })
  return texts[0]![1] === '' ? undefined : Object.fromEntries(texts)
}

/** In steps of 50 m below one kilometre, and of 100 m above. */
function distanceText(kilometres: number, locale: string): string {
  const metres = Math.max(50, Math.round(kilometres * 20) * 50)
  if (metres < 1_000) return `${metres} m`
  return `${kilometres.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} km`
}

const wholeDay = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
const dayText = (day: Day, locale: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, wholeDay)
