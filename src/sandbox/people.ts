import { addressExample, customerExample } from '../contract/examples/requests.ts'

/** The customer of a checkout. Empty text is no data; a field that is not set is as live platforms send it. */
export interface Customer {
  /** Default in a checkout: that of the customer in Amsterdam, as the next two. */
  firstname: string
  /** Default in a checkout: as above. */
  lastname: string
  /** Default in a checkout: as above. */
  email: string
  /** Default: as live platforms send it. */
  phone?: string
  /** Makes a customer of type `company`. Default: a private customer. */
  company?: string
  /** The VAT number of a company. Default: as live platforms send it. */
  vatnumber?: string
  /** The number of a company in the trade register. Default: as live platforms send it. */
  cocnumber?: string
}

/** The destination that a cart knows. */
export interface Destination {
  /** Default in a message or checkout: that of Amsterdam, `1016GV`. */
  zipcode: string
  /** Two letters. Default in a message or checkout: `nl`. */
  country: string
}

/** The address that an order is shipped to, or billed to. */
export interface DeliveryAddress extends Destination {
  /** The street. Default in a message or checkout: that of an address in Amsterdam, as the next two. */
  address1: string
  /** The number of the house, as text. Default in a message or checkout: as above. */
  number: string
  /** Default in a message or checkout: as above. */
  city: string
  /** The part behind the number, such as `A`. Default: as live platforms send it. */
  extension?: string
  /** The state or province. Default: as live platforms send it. */
  region?: string
}

/** A customer with an address. `billing`: the billing address, if it is a different one. */
export interface Person {
  title: string
  customer: Customer
  address: DeliveryAddress
  billing?: DeliveryAddress
}

const { firstname, lastname, email } = customerExample
export const seededCustomer: Customer = { firstname, lastname, email }
const { address1, number, zipcode, city, country } = addressExample
export const seededAddress: DeliveryAddress = { address1, number, zipcode, city, country }

const person = (
  title: string,
  [firstname, lastname]: [string, string],
  [address1, number, zipcode, city, country]: [string, string, string, string, string],
  rest: Partial<Customer> = {},
): Person => ({
  title,
  customer: { firstname, lastname, email: `${firstname.toLowerCase()}@customer.example`, ...rest },
  address: { address1, number, zipcode, city, country },
})

/** Customers to try, by name. */
export const people = {
  nl: { title: 'Netherlands: Amsterdam', customer: seededCustomer, address: seededAddress },
  island: person(
    'Netherlands: Texel, an island',
    ['Jan', 'Dekker'],
    ['Weverstraat', '12', '1791AC', 'Den Burg', 'nl'],
  ),
  be: person('Belgium: Antwerp', ['Lotte', 'Peeters'], ['Meir', '24', '2000', 'Antwerpen', 'be']),
  de: person('Germany: Berlin', ['Jonas', 'Weber'], ['Torstraße', '140', '10119', 'Berlin', 'de']),
  fr: person('France: Lyon', ['Camille', 'Moreau'], ['Rue Mercière', '8', '69002', 'Lyon', 'fr']),
  es: person('Spain: Madrid', ['Lucia', 'Romero'], ['Calle de Alcalá', '45', '28014', 'Madrid', 'es']),
  canary: person(
    'Spain: Canary Islands, outside the VAT area',
    ['Mateo', 'Santana'],
    ['Calle Triana', '60', '35002', 'Las Palmas', 'es'],
  ),
  gb: person(
    'United Kingdom: London',
    ['Amy', 'Clarke'],
    ['Camden High Street', '201', 'NW1 7BT', 'London', 'gb'],
  ),
  ch: person('Switzerland: Zürich', ['Reto', 'Keller'], ['Bahnhofstrasse', '31', '8001', 'Zürich', 'ch']),
  us: person(
    'United States: Portland',
    ['Dana', 'Reed'],
    ['NW Couch Street', '1005', '97209', 'Portland', 'us'],
  ),
  company: person(
    'A company with a VAT number',
    ['Sanne', 'Visser'],
    ['Herengracht', '182', '1016BR', 'Amsterdam', 'nl'],
    { company: 'Visser Interieur BV', vatnumber: 'NL123456789B01', cocnumber: '12345678' },
  ),
  elsewhere: {
    ...person(
      'Ships to another address than it bills',
      ['Noor', 'de Wit'],
      ['Meir', '24', '2000', 'Antwerpen', 'be'],
    ),
    billing: seededAddress,
  },
  'no-zipcode': person(
    'A country without zipcodes: Hong Kong',
    ['Wing', 'Chan'],
    ['Nathan Road', '132', '', 'Hong Kong', 'hk'],
  ),
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
