import { addressExample, customerExample } from '../contract/examples.ts'
import { wrongCall } from '../errors/errors.ts'
import { countryFault, isCountry } from '../rates/files/cells.ts'
import { canBeZipcode } from '../rates/zipcodes/zipcode.ts'
import {
  type CheckoutBodyOptions,
  type Customer,
  type DeliveryAddress,
  type Destination,
  given,
} from './options.ts'

/** The customer of a call. `billing`: the billing address, if it is a different one. `guest`: not named before the order. */
export interface SentCustomer {
  customer: Customer
  address: DeliveryAddress
  billing?: DeliveryAddress | undefined
  guest?: boolean | undefined
}

export interface Person extends SentCustomer {
  title: string
}

const { firstname, lastname, email } = customerExample
export const seededCustomer: Customer = { firstname, lastname, email }
const { address1, number, zipcode, city, country } = addressExample
export const seededAddress: DeliveryAddress = { address1, number, zipcode, city, country }

/** The customer and the addresses of options. What they leave out is that of a customer in Amsterdam. */
export function personOf({ customer, address, billing, guest, country, zipcode }: CheckoutBodyOptions) {
  const where: DeliveryAddress = { ...seededAddress, ...address, ...given({ country, zipcode }) }
  return {
    customer: { ...seededCustomer, ...customer },
    address: where,
    billing: billing && { ...where, ...billing },
    guest,
  }
}

/** `place`: the street, number, zipcode, city and country. */
function person(title: string, name: string, place: string, rest: Partial<Customer> = {}): Person {
  const [, firstname = '', lastname = ''] = /^(\S+) (.+)$/.exec(name) ?? []
  const [address1 = '', number = '', zipcode = '', city = '', country = ''] = place.split(', ')
  const customer = { firstname, lastname, email: `${firstname.toLowerCase()}@customer.example`, ...rest }
  return { title, customer, address: { address1, number, zipcode, city, country } }
}

/** Customers to try, by name. */
export const people = {
  nl: { title: 'Netherlands: Amsterdam', customer: seededCustomer, address: seededAddress },
  island: person('Netherlands: Texel, an island', 'Jan Dekker', 'Weverstraat, 12, 1791AC, Den Burg, nl'),
  be: person('Belgium: Antwerp', 'Lotte Peeters', 'Meir, 24, 2000, Antwerpen, be'),
  de: person('Germany: Berlin', 'Jonas Weber', 'Torstraße, 140, 10119, Berlin, de'),
  fr: person('France: Lyon', 'Camille Moreau', 'Rue Mercière, 8, 69002, Lyon, fr'),
  es: person('Spain: Madrid', 'Lucia Romero', 'Calle de Alcalá, 45, 28014, Madrid, es'),
  canary: person(
    'Spain: Canary Islands, outside the VAT area',
    'Mateo Santana',
    'Calle Triana, 60, 35002, Las Palmas, es',
  ),
  gb: person('United Kingdom: London', 'Amy Clarke', 'Camden High Street, 201, NW1 7BT, London, gb'),
  ch: person('Switzerland: Zürich', 'Reto Keller', 'Bahnhofstrasse, 31, 8001, Zürich, ch'),
  us: person('United States: Portland', 'Dana Reed', 'NW Couch Street, 1005, 97209, Portland, us'),
  company: person('A company with a VAT number', 'Sanne Visser', 'Herengracht, 182, 1016BR, Amsterdam, nl', {
    ...{ company: 'Visser Interieur BV', vatnumber: 'NL123456789B01', cocnumber: '12345678' },
  }),
  elsewhere: {
    ...person('Ships to another address than it bills', 'Noor de Wit', 'Meir, 24, 2000, Antwerpen, be'),
    billing: seededAddress,
  },
  'no-zipcode': person(
    'A country without zipcodes: Hong Kong',
    'Wing Chan',
    'Nathan Road, 132, , Hong Kong, hk',
  ),
  guest: {
    title: 'A guest before they are named',
    customer: seededCustomer,
    address: seededAddress,
    guest: true,
  },
  nobody: {
    title: 'Nothing is known but the country',
    customer: { firstname: '', lastname: '', email: '' },
    address: { address1: '', number: '', zipcode: '', city: '', country: 'nl' },
  },
} satisfies Record<string, Person>

/** The name of a customer to try. */
export type PersonName = keyof typeof people

export const personNames = Object.keys(people) as PersonName[]
export const isPersonName = (name: unknown): name is PersonName =>
  typeof name === 'string' && Object.hasOwn(people, name)

/** A real zipcode and its city, of countries without a person above. */
const places = new Map(
  `ad=AD500=Andorra la Vella, ar=C1425CLA=Buenos Aires, at=1010=Wien, au=2000=Sydney, ax=22100=Mariehamn, bg=1000=Sofia, bm=HM 12=Hamilton,
  br=01310-100=São Paulo, ca=K1A 0B1=Ottawa, cl=832-0000=Santiago, cn=100000=Beijing, cy=1010=Nicosia, cz=110 00=Praha, dk=1050=København,
  ee=10111=Tallinn, fi=00100=Helsinki, fo=100=Tórshavn, gg=GY1 1AA=St Peter Port, gi=GX11 1AA=Gibraltar, gr=105 57=Athina, hr=10000=Zagreb,
  hu=1051=Budapest, ie=D02 AF30=Dublin, il=9100001=Jerusalem, im=IM1 1AA=Douglas, in=110001=New Delhi, is=101=Reykjavík, it=00118=Roma,
  je=JE2 3AB=St Helier, jp=100-0001=Tokyo, kr=03051=Seoul, ky=KY1-1001=George Town, li=9490=Vaduz, lt=01100=Vilnius, lu=1009=Luxembourg,
  lv=LV-1010=Rīga, mt=VLT 1117=Valletta, mx=06000=Ciudad de México, no=0010=Oslo, nz=1010=Auckland, pl=00-950=Warszawa, pt=1000-001=Lisboa,
  ro=010011=București, rs=11000=Beograd, se=111 20=Stockholm, sg=018956=Singapore, si=1000=Ljubljana, sk=811 01=Bratislava, tr=34000=İstanbul,
  tw=100-01=Taipei, ua=01001=Kyiv, za=0001=Pretoria`
    .split(/,\s+/)
    .map((place) => place.split('=') as [string, string, string])
    .map(([country, zipcode, city]) => [country, { zipcode, city }]),
)

/** An address in a country. Throws `ARGUMENT_INVALID` for an unknown country, and for a zipcode that cannot be of it. */
export function addressIn({ country = 'nl', zipcode }: Partial<Destination>): DeliveryAddress {
  const code = country.toLowerCase()
  if (!isCountry(code)) throw wrongCall(`country ${country} ${countryFault(country)}`)
  const place = places.get(code) ?? { zipcode: '', city: code.toUpperCase() }
  const own = { address1: 'Main Street', number: '1', country: code, ...place }
  const known = isPersonName(code) ? people[code].address : own
  const address = { ...known, zipcode: zipcode ?? known.zipcode }
  if (canBeZipcode(code, address.zipcode)) return address
  const example = known.zipcode && ` such as ${known.zipcode}`
  throw wrongCall(`zipcode "${address.zipcode}" cannot be one of country ${code}: write one${example}`)
}
