import * as f from './row.ts'
import { joining, metafields, type ResourceRow, readOnly, row } from './row.ts'

const street = f.texts('Name', 'Street', 'Street2', 'Number', 'Extension', 'Zipcode', 'City', 'Region')

/** The fields of an address, behind its kind: `addressBillingStreet`. */
export const addressFields = (kind: 'Billing' | 'Shipping') => ({
  ...(kind === 'Shipping' && { addressShippingCompany: f.text(false) }),
  ...f.prefixed(`address${kind}`, { ...street, Country: f.country('nl') }),
})

/** The person of an order, a quote or an account. */
export const personFields = {
  ...f.texts('nationalId', 'email'),
  gender: f.choice('', 'male', 'female'),
  ...f.texts('firstname', 'middlename', 'lastname', 'phone', 'mobile'),
  isCompany: f.flag(),
  ...f.texts('companyName', 'companyCoCNumber', 'companyVatNumber'),
}

const home = { name: 'Home', street: 'Prinsengracht', number: '263', zipcode: '1016GV', city: 'Amsterdam' }

/** Customers, the groups they are in, and what they write. */
export const customerRows: readonly ResourceRow[] = [
  row('customers', {
    fields: {
      isConfirmed: f.flag(true),
      type: f.choice('private', 'company'),
      lastOnlineAt: f.time(),
      ...f.texts('remoteIp', 'userAgent'),
      birthDate: f.time(),
      ...personFields,
      ...addressFields('Billing'),
      ...addressFields('Shipping'),
      memo: f.text(),
      doNotifyRegistered: f.flag(),
      doNotifyConfirmed: f.flag(),
      language: f.language(),
      groups: f.many('groups/customers?customer={id}'),
      ...f.below('customers', 'addresses'),
      ...f.naming('customer', 'invoices', 'orders', 'reviews', 'shipments', 'tickets'),
      ...f.below('customers', 'metafields'),
    },
    required: ['email'],
    filters: ['email', 'isConfirmed', 'type'],
  }),
  row('customers/{id}/addresses', {
    fields: {
      name: f.text(),
      company: f.text(false),
      ...f.texts('street', 'street2', 'number', 'extension', 'zipcode', 'city', 'region'),
      country: f.country('nl'),
      isDefault: f.flag(),
    },
    required: ['street', 'zipcode', 'city'],
    filters: ['country', 'isDefault'],
    seeds: [{ customer: 90210, ...home }],
  }),
  metafields('customers/{id}/metafields', { seeds: [{ customer: 90210, key: 'tier', value: 'gold' }] }),
  row('customers/{id}/login', {
    undated: true,
    verbs: ['create'],
    fields: { password: f.text(), isCorrect: f.flag(true) },
    required: ['password'],
  }),
  row('customers/{id}/tokens', {
    undated: true,
    verbs: ['create'],
    fields: { token: f.text(), expiresAt: f.time() },
  }),
  row('groups', {
    fields: { title: f.text(), isDefault: f.flag(), type: f.choice('private', 'company') },
    filters: ['type', 'isDefault'],
    seeds: [{ title: 'Regulars' }],
  }),
  joining('groups/customers', ['groups', 'customers'], {
    one: 'groupsCustomer',
    seeds: [{ group: 1, customer: 90210 }],
  }),
  row('reviews', {
    fields: {
      isVisible: f.flag(),
      score: f.whole(5),
      ...f.texts('name', 'content'),
      language: f.language(),
      ...f.ones('customers', 'products'),
    },
    required: ['content'],
    filters: ['product', 'customer', 'isVisible', 'score'],
    seeds: [{ name: 'A reader', content: 'Lovely mug.', product: 101, isVisible: true }],
  }),
  row('tickets', {
    fields: {
      status: f.choice('open', 'closed', 'pending'),
      type: f.text('customer'),
      ...f.texts('title', 'email', 'name'),
      ...f.ones('customers', 'orders'),
      ...f.below('tickets', 'messages'),
    },
    filters: ['status', 'customer', 'order'],
    seeds: [{ title: 'Question about my order', email: 'reader@shop.example', customer: 90210 }],
  }),
  row('tickets/{id}/messages', {
    fields: { ...f.texts('content', 'name', 'email'), isFromShop: f.flag() },
    required: ['content'],
    seeds: [{ ticket: 1, content: 'When does it arrive?' }],
  }),
  row('contacts', {
    verbs: readOnly,
    fields: { ...f.texts('email', 'name', 'phone'), revenue: f.decimal(), ...f.ones('customers') },
    filters: ['email', 'customer'],
    seeds: [{ email: 'reader@shop.example', name: 'A reader', customer: 90210 }],
  }),
]
