import type { Brand } from 'purveyor'

/** How the payment pages look. A shop may set its own in its settings. */
export const brand: Brand = {
  name: 'Example Payments',
  logo: new URL('./logo.png', import.meta.url),
  accent: '#3b3f98',
  radius: 10,
  support: 'support@payments.example',
  terms: 'https://payments.example/terms',
  privacy: 'https://payments.example/privacy',
}
