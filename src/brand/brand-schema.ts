import { z } from 'zod'
import { optionGroup } from '../checked-options.ts'
import { printable } from '../printable.ts'
import { type Brand, colourFaults, fontStacks, supportAddress } from './brand.ts'

const text = z.string('must be text')
const httpsAddress = text
  .max(2_000, 'must be at most 2,000 characters')
  .refine(isHttps, 'must be an https address')
const radius = z.number('must be a number of pixels')
const fonts = Object.keys(fontStacks) as (keyof typeof fontStacks)[]
const noSupport = 'must be an https address, an e-mail address or a phone number such as +31 20 123 45 67'
const colour = z.unknown().optional()
const colours = { accent: colour, surface: colour }

/**
 * The schema of a brand. A merchant's brand is a stranger's: its images come from https addresses. The provider's own may be files.
 * Colours that cannot be read are faults, with the nearest that can.
 */
export const brandSchema = (images: 'https' | 'files') => {
  const image =
    images === 'https'
      ? httpsAddress
      : z.union([text.min(1), z.instanceof(URL)], 'must be a path, a file: URL or an https address')
  return optionGroup({
    name: text
      .trim()
      .min(1, 'must not be empty')
      .max(60, 'must be at most 60 characters')
      .refine((name) => printable(name) === name, 'must not hold characters that cannot be seen')
      .optional(),
    logo: image.optional(),
    favicon: image.optional(),
    ...colours,
    dark: optionGroup(colours).optional(),
    radius: radius.min(0, 'must be 0 or more').max(24, 'must be at most 24').optional(),
    font: z.enum(fonts, `must be one of ${fonts.join(', ')}`).optional(),
    support: text.refine((given) => supportAddress(given) !== undefined, noSupport).optional(),
    terms: httpsAddress.optional(),
    privacy: httpsAddress.optional(),
  }).superRefine((brand, context) => {
    for (const { path, message } of colourFaults(brand as Brand))
      context.addIssue({ code: 'custom', path: path.split('.'), message })
  })
}

function isHttps(address: string): boolean {
  const { protocol, username = '', password = '' } = URL.parse(address) ?? {}
  return protocol === 'https:' && username + password === '' && printable(address) === address
}
