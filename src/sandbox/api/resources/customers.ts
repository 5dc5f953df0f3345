import {
  below,
  choice,
  country,
  decimal,
  flag,
  language,
  many,
  naming,
  ones,
  prefixed,
  text,
  texts,
  time,
  whole,
} from './fields.ts'
import { joining, metafields, type ResourceRow, readOnly, row } from './row.ts'

const street = texts('Name', 'Street', 'Street2', 'Number', 'Extension', 'Zipcode', 'City', 'Region')

/** The fields of an address, behind its kind: `addressBillingStreet`. */
export const addressFields = (kind: 'Billing' | 'Shipping') => ({
  ...(kind === 'Shipping' && { addressShippingCompany: text(false) }),
  ...prefixed(`address${kind}`, { ...street, Country: country('nl') }),
})

/** The person of an order, a quote or an account. */
export const personFields = {
  ...texts('nationalId', 'email'),
  gender: choice('', 'male', 'female'),
  ...texts('firstname', 'middlename', 'lastname', 'phone', 'mobile'),
  isCompany: flag(),
  ...texts('companyName', 'companyCoCNumber', 'companyVatNumber'),
}

const home = { name: 'Home', street: 'Prinsengracht', number: '263', zipcode: '1016GV', city: 'Amsterdam' }

/** Customers, the groups they are in, and what they write. */
export const customerRows: readonly ResourceRow[] = [
  row('customers', {
    fields: {
      isConfirmed: flag(true),
      type: choice('private', 'company'),
      lastOnlineAt: time(),
      ...texts('remoteIp', 'userAgent'),
      birthDate: time(),
      ...personFields,
      ...addressFields('Billing'),
      ...addressFields('Shipping'),
      memo: text(),
      doNotifyRegistered: flag(),
      doNotifyConfirmed: flag(),
      language: language(),
      groups: many('groups/customers?customer={id}'),
      ...below('customers', 'addresses'),
      ...naming('customer', 'invoices', 'orders', 'reviews', 'shipments', 'tickets'),
      ...below('customers', 'metafields'),
    },
    required: ['email'],
    filters: ['email', 'isConfirmed', 'type'],
  }),
  row('customers/{id}/addresses', {
    fields: {
      name: text(),
      company: text(false),
      ...texts('street', 'street2', 'number', 'extension', 'zipcode', 'city', 'region'),
      country: country('nl'),
      isDefault: flag(),
    },
    required: ['street', 'zipcode', 'city'],
    filters: ['country', 'isDefault'],
    seeds: [{ customer: 90210, ...home }],
  }),
  metafields('customers/{id}/metafields', { seeds: [{ customer: 90210, key: 'tier', value: 'gold' }] }),
  row('customers/{id}/login', {
    undated: true,
    verbs: ['create'],
    fields: { password: text(), isCorrect: flag(true) },
    required: ['password'],
  }),
  row('customers/{id}/tokens', {
    undated: true,
    verbs: ['create'],
    fields: { token: text(), expiresAt: time() },
  }),
  row('groups', {
    fields: { title: text(), isDefault: flag(), type: choice('private', 'company') },
    filters: ['type', 'isDefault'],
    seeds: [{ title: 'Regulars' }],
  }),
  joining('groups/customers', ['groups', 'customers'], {
    one: 'groupsCustomer',
    seeds: [{ group: 1, customer: 90210 }],
  }),
  row('reviews', {
    fields: {
      isVisible: flag(),
      score: whole(5),
      ...texts('name', 'content'),
      language: language(),
      ...ones('customers', 'products'),
    },
    required: ['content'],
    filters: ['product', 'customer', 'isVisible', 'score'],
    seeds: [{ name: 'A reader', content: 'Lovely mug.', product: 101, isVisible: true }],
  }),
  row('tickets', {
    fields: {
      status: choice('open', 'closed', 'pending'),
      type: text('customer'),
      ...texts('title', 'email', 'name'),
      ...ones('customers', 'orders'),
      ...below('tickets', 'messages'),
    },
    filters: ['status', 'customer', 'order'],
    seeds: [{ title: 'Question about my order', email: 'reader@shop.example', customer: 90210 }],
  }),
  row('tickets/{id}/messages', {
    fields: { ...texts('content', 'name', 'email'), isFromShop: flag() },
    required: ['content'],
    seeds: [{ ticket: 1, content: 'When does it arrive?' }],
  }),
  row('contacts', {
    verbs: readOnly,
    fields: { ...texts('email', 'name', 'phone'), revenue: decimal(), ...ones('customers') },
    filters: ['email', 'customer'],
    seeds: [{ email: 'reader@shop.example', name: 'A reader', customer: 90210 }],
  }),
]
