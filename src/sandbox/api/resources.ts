import { handlingStatuses, paidStatuses, shipmentStatuses } from '../orders.ts'
import * as f from './fields.ts'
import { changeable, joining, listed, metafields, type ResourceRow, readOnly, row, single } from './rows.ts'

/** External services and charges (spec 4.2), the account of the caller, the shop and its settings. */
const shopRows = [
  row('external_services', {
    one: 'externalService',
    anyLanguage: true,
    fields: {
      type: f.choice('shipment', 'payment'),
      name: f.text(),
      urlEndpoint: f.endpoint(),
      isActive: f.flag(true),
      rateEstimate: f.flag(),
    },
    required: ['type', 'name', 'urlEndpoint'],
  }),
  row('app_subscriptions', {
    one: 'appSubscription',
    anyLanguage: true,
    verbs: ['list', 'count', 'read', 'create', 'delete'],
    fields: {
      type: f.choice('recurring', 'onetime'),
      title: f.text(),
      price: f.decimal(),
      callbackUrl: f.text(),
      appSubscriptionId: { ...f.text(), hidden: true },
      ...f.allFixed({ status: f.text(), approvalUrl: f.data(null), cancelUrl: f.text() }),
    },
    required: ['type', 'title', 'price', 'callbackUrl'],
  }),
  single('account', {
    fields: {
      ...f.allFixed({ appId: f.whole(false), apiKey: f.text(), signout: f.data(false) }),
      ...f.parts('account', 'permissions', 'ratelimit', 'metafields'),
    },
  }),
  single('account/permissions', {
    one: 'accountPermissions',
    fields: f.allFixed({ read: f.data([]), write: f.data([]) }),
  }),
  single('account/ratelimit', {
    fields: f.allFixed({ limit5Min: f.data(), limitHour: f.data(), limitDay: f.data() }),
  }),
  metafields('account/metafields', { verbs: readOnly, seeds: [{ key: 'plan', value: 'trial' }] }),
  row('shop', {
    single: true,
    verbs: ['read', 'update'],
    fields: {
      ...f.allFixed({ status: f.text('active'), isB2b: f.flag(), isRetail: f.flag() }),
      title: f.text('Sandbox shop'),
      subDomain: f.fixed(f.text('sandbox')),
      mainDomain: f.fixed(f.text('sandbox.shop.example')),
      email: f.text('owner@shop.example'),
      ...f.texts('phone', 'street', 'street2', 'zipcode', 'city', 'region'),
      country: f.country('nl'),
      ...f.texts('vatNumber', 'cocNumber'),
      currency: f.currency(),
      mainLanguage: f.text('en'),
      ...f.parts('shop', 'metafields'),
    },
  }),
  metafields('shop/metafields'),
  metafields('metafields'),
  listed('languages', {
    fields: { ...f.texts('code', 'locale', 'title'), isActive: f.flag(true), isDefault: f.flag() },
    filters: ['code', 'isActive'],
  }),
  listed('countries', { fields: f.texts('code', 'code3', 'title'), filters: ['code'] }),
  row('taxes', {
    fields: {
      isDefault: f.flag(),
      title: f.text(),
      country: f.country('nl'),
      rate: f.decimal(),
      isShippingTax: f.flag(),
      ...f.below('taxes', 'overrides'),
    },
    required: ['title', 'rate'],
    filters: ['country', 'isDefault'],
    seeds: [
      { title: 'High', rate: 0.21, isDefault: true },
      { title: 'Low', rate: 0.09 },
    ],
  }),
  row('taxes/{id}/overrides', {
    fields: { country: f.country('be'), region: f.text(false), rate: f.decimal(), title: f.text() },
    required: ['rate'],
    filters: ['country'],
    seeds: [{ tax: 1, country: 'be', rate: 0.21, title: 'BTW' }],
  }),
  listed('paymentmethods', {
    one: 'paymentMethod',
    fields: { ...f.texts('title', 'type'), isActive: f.flag(true), icon: f.text(false) },
    filters: ['isActive'],
    seeds: [{ title: 'Bank transfer', type: 'banktransfer' }],
  }),
  listed('shippingmethods', {
    one: 'shippingMethod',
    fields: {
      ...f.texts('title', 'internalTitle'),
      type: f.text('fixed'),
      isActive: f.flag(true),
      isPickup: f.flag(),
      ...f.below('shippingmethods', 'countries', 'values'),
    },
    filters: ['isActive'],
    seeds: [{ title: 'Standard delivery', internalTitle: 'standard' }],
  }),
  listed('shippingmethods/{id}/countries', {
    one: 'shippingMethodCountry',
    many: 'shippingMethodCountries',
    fields: { country: f.country('nl') },
    filters: ['country'],
    seeds: [{ shippingmethod: 1, country: 'nl' }],
  }),
  listed('shippingmethods/{id}/values', {
    one: 'shippingMethodValue',
    fields: { from: f.decimal(), to: f.decimal(false), priceExcl: f.decimal() },
    seeds: [{ shippingmethod: 1, from: 0, priceExcl: 4.13 }],
  }),
  row('deliverydates', {
    fields: f.texts('name', 'inStockMessage', 'outStockMessage'),
    required: ['name'],
    seeds: [{ name: 'Usual', inStockMessage: 'Tomorrow at your door', outStockMessage: 'Within a week' }],
  }),
  row('webhooks', {
    fields: {
      isActive: f.flag(true),
      ...f.texts('itemGroup', 'itemAction'),
      language: f.language(),
      format: f.choice('json', 'xml'),
      address: f.endpoint(),
    },
    required: ['itemGroup', 'itemAction', 'address'],
    filters: ['isActive', 'itemGroup', 'itemAction', 'address'],
  }),
  row('events', {
    undated: true,
    verbs: ['list', 'count', 'read', 'delete'],
    fields: { createdAt: f.time(), ...f.texts('itemGroup', 'itemAction'), itemId: f.whole() },
    filters: ['itemGroup', 'itemAction', 'itemId'],
  }),
  row('files', {
    fields: {
      ...f.texts('title', 'filename', 'extension'),
      size: f.fixed(f.whole()),
      mimetype: f.text('application/octet-stream'),
      src: f.fixed(f.link()),
      attachment: f.upload(),
    },
    required: ['filename', 'attachment'],
    filters: ['filename'],
    seeds: [{ title: 'Manual', filename: 'manual.pdf', extension: 'pdf', mimetype: 'application/pdf' }],
  }),
]

/** The figures of one piece. */
const piece = {
  ...f.texts('articleCode', 'ean', 'sku'),
  hs: f.text(false),
  ...f.decimals('priceExcl', 'priceIncl', 'oldPriceExcl', 'oldPriceIncl'),
  taxRate: f.decimal(0.21),
  ...f.wholes('weight', 'volume', 'colli'),
  ...f.decimals('sizeX', 'sizeY', 'sizeZ'),
  stockLevel: f.whole(25),
}

/** `false`, or an object with `src`. */
const image = f.fixed(f.data(false))

const catalogRows = [
  row('products', {
    fields: {
      isVisible: f.flag(true),
      visibility: f.choice('visible', 'hidden', 'auto'),
      hasMatrix: f.flag(),
      ...f.texts('data01', 'data02', 'data03', 'url', 'title', 'fulltitle', 'description', 'content'),
      // Its variant shows them.
      ...f.allHidden(piece),
      ...f.ones('sets', 'brands', 'types', 'deliverydates'),
      image,
      ...f.below('products', 'attributes', 'metafields'),
      categories: f.many('categories/products?product={id}'),
      ...f.naming('product', 'variants'),
    },
    filters: ['brand', 'type', 'visibility', 'isVisible'],
  }),
  listed('products/{id}/attributes', {
    verbs: changeable,
    fields: { title: f.fixed(f.text()), value: f.text(), attribute: f.fixed(f.one('attributes')) },
  }),
  metafields('products/{id}/metafields', { seeds: [{ product: 101, key: 'origin', value: 'nl' }] }),
  row('variants', {
    fields: {
      isDefault: f.flag(),
      sortOrder: f.whole(1),
      title: f.text('Default'),
      ...piece,
      stockTracking: f.choice('enabled', 'disabled', 'indicator'),
      ...f.wholes('stockAlert', 'stockMinimum', 'stockSold'),
      stockBuyMinimum: f.whole(1),
      stockBuyMaximum: f.whole(10_000),
      unitPrice: f.decimal(),
      unitUnit: f.text(),
      weightValue: f.text('0.000'),
      weightUnit: f.text('g'),
      volumeValue: f.decimal(),
      volumeUnit: f.text('ml'),
      sizeXValue: f.text('0.000'),
      sizeYValue: f.text('0.000'),
      sizeZValue: f.text('0.000'),
      sizeUnit: f.text('cm'),
      ...f.allFixed({ matrix: f.data(false), taxType: f.data(null), image }),
      priceCost: f.decimal(),
      options: f.data([]),
      ...f.ones('taxes', 'products'),
      ...f.below('variants', 'metafields'),
    },
    required: ['product'],
    filters: ['product', 'sku', 'ean', 'articleCode', 'isDefault'],
  }),
  metafields('variants/{id}/metafields', { seeds: [{ variant: 1101, key: 'shelf', value: 'A3' }] }),
  row('attributes', {
    undated: true,
    fields: { ...f.texts('title', 'defaultValue'), types: f.many('types/attributes?attribute={id}') },
    seeds: [{ title: 'Colour' }],
  }),
  row('types', {
    fields: { title: f.text(), ...f.naming('type', 'types/attributes') },
    seeds: [{ title: 'Tableware' }],
  }),
  joining('types/attributes', ['types', 'attributes'], {
    one: 'typesAttribute',
    fields: { sortOrder: f.whole(1) },
    seeds: [{ type: 1, attribute: 1 }],
  }),
  row('brands', {
    fields: { ...f.texts('url', 'title', 'content'), image },
    filters: ['url'],
    seeds: [{ title: 'Kiln & Loom', url: 'kiln-loom' }],
  }),
  row('categories', {
    fields: {
      isVisible: f.flag(true),
      depth: f.fixed(f.whole(1)),
      path: f.fixed(f.data([])),
      type: f.choice('category', 'textpage'),
      sortOrder: f.whole(1),
      sorting: f.choice('default', 'popular', 'newest', 'lowest', 'highest', 'asc', 'desc'),
      ...f.texts('url', 'title', 'fulltitle', 'description', 'content'),
      parent: f.one('categories'),
      image,
      children: f.many('categories?parent={id}'),
      ...f.naming('category', 'categories/products'),
    },
    filters: ['parent', 'isVisible', 'url'],
    seeds: [{ title: 'Kitchen', fulltitle: 'Kitchen', url: 'kitchen' }],
  }),
  joining('categories/products', ['categories', 'products'], {
    one: 'categoriesProduct',
    fields: { sortOrder: f.whole(1) },
    seeds: [{ category: 1, product: 101 }],
  }),
  row('sets', {
    fields: { title: f.text(), options: f.data([]) },
    seeds: [{ title: 'Sizes', options: [{ name: 'Size', values: ['S', 'M', 'L'] }] }],
  }),
]

const street = f.texts('Name', 'Street', 'Street2', 'Number', 'Extension', 'Zipcode', 'City', 'Region')

/** The person of an order, a quote or an account, with both addresses. */
const personFields = {
  ...f.texts('nationalId', 'email'),
  gender: f.choice('', 'male', 'female'),
  ...f.texts('firstname', 'middlename', 'lastname', 'phone', 'mobile'),
  isCompany: f.flag(),
  ...f.texts('companyName', 'companyCoCNumber', 'companyVatNumber'),
  ...f.prefixed('addressBilling', { ...street, Country: f.country('nl') }),
  addressShippingCompany: f.text(false),
  ...f.prefixed('addressShipping', { ...street, Country: f.country('nl') }),
}

const amounts = f.allFixed(f.decimals('priceCost', 'priceExcl', 'priceIncl'))
const figures = f.allFixed(f.wholes('weight', 'volume', 'colli'))

const method = (kind: 'payment' | 'shipment') =>
  f.allFixed(
    f.prefixed(kind, {
      Id: f.text(false),
      Title: f.text(),
      ...f.decimals('BasePriceExcl', 'BasePriceIncl', 'PriceExcl', 'PriceIncl', 'TaxRate'),
      TaxRates: f.data([]),
      Data: f.data([]),
    }),
  )

/** An order, in the order of live platforms. */
const orderFields: f.Fields = {
  number: f.fixed(f.text()),
  status: f.choice(...handlingStatuses),
  customStatusId: f.whole(null),
  channel: f.fixed(f.text('main')),
  ...f.texts('remoteIp', 'userAgent'),
  referralId: f.data(false),
  ...amounts,
  ...figures,
  birthDate: f.date(),
  ...personFields,
  paymentStatus: f.choice(...paidStatuses),
  ...f.allFixed(f.flags('paymentIsPost', 'paymentIsInvoiceExternal')),
  ...method('payment'),
  shipmentStatus: f.choice(...shipmentStatuses, 'waiting_for_pickup'),
  ...f.allFixed(f.flags('shipmentIsCashOnDelivery', 'shipmentIsPickup')),
  ...method('shipment'),
  ...f.allFixed(f.decimals('shipmentDiscountExcl', 'shipmentDiscountIncl')),
  taxRates: f.fixed(f.data([])),
  trackingCode: f.text(),
  shippingDate: f.time(null),
  deliveryDate: f.time(null),
  isDiscounted: f.flag(),
  discountType: f.choice('amount', 'percentage'),
  ...f.decimals('discountAmount', 'discountPercentage'),
  discountCouponCode: f.text(),
  isNewCustomer: f.flag(),
  ...f.texts('comment', 'memo'),
  newsletterSubscribed: f.flag(),
  allowNotifications: f.flag(true),
  ...f.flags('doNotifyNew', 'doNotifyReminder', 'doNotifyCancelled'),
  ...f.allFixed({ invoice: f.text(), language: f.language(), customer: f.one('customers') }),
  ...f.naming('order', 'invoices', 'shipments'),
  ...f.below('orders', 'products', 'metafields'),
  quote: f.fixed(f.one('quotes')),
  ...f.naming('order', 'orders/events'),
}

/** Customers, their orders, and what follows from those. */
const orderRows = [
  row('customers', {
    fields: {
      isConfirmed: f.flag(true),
      type: f.choice('private', 'company'),
      lastOnlineAt: f.time(),
      ...f.texts('remoteIp', 'userAgent'),
      birthDate: f.date(),
      ...personFields,
      memo: f.text(),
      ...f.flags('doNotifyRegistered', 'doNotifyConfirmed'),
      language: f.language(),
      ...f.naming('customer', 'invoices', 'orders', 'shipments'),
      ...f.below('customers', 'metafields'),
    },
    required: ['email'],
    filters: ['email', 'isConfirmed', 'type'],
  }),
  metafields('customers/{id}/metafields', { seeds: [{ customer: 90210, key: 'tier', value: 'gold' }] }),
  row('orders', {
    verbs: changeable,
    fields: orderFields,
    embeds: ['customer', 'invoices', 'shipments', 'products', 'quote', 'events'],
    filters: ['number', 'status', 'paymentStatus', 'shipmentStatus', 'customer', 'email', 'customStatusId'],
  }),
  listed('orders/{id}/products', {
    fields: {
      ...f.texts('productTitle', 'variantTitle', 'brandTitle', 'supplierTitle', 'articleCode', 'ean', 'sku'),
      ...figures,
      ...f.decimals('sizeX', 'sizeY', 'sizeZ', 'taxRate'),
      ...f.wholes('quantityOrdered', 'quantityInvoiced', 'quantityShipped', 'quantityRefunded'),
      ...f.wholes('quantityReturned'),
      ...f.decimals('basePriceExcl', 'basePriceIncl', 'customExcl', 'customIncl', 'priceCost', 'priceExcl'),
      ...f.decimals('priceIncl', 'discountExcl', 'discountIncl'),
      ...f.ones('products', 'variants'),
      customFields: f.data(false),
    },
  }),
  metafields('orders/{id}/metafields'),
  row('orders/customstatuses', {
    one: 'customStatus',
    many: 'customStatuses',
    fields: { ...f.texts('title', 'color'), isActive: f.flag(true), sortOrder: f.whole(1) },
    filters: ['isActive'],
    seeds: [{ title: 'Waiting for engraving', color: '#336699' }],
  }),
  listed('orders/events', {
    fields: { createdAt: f.time(), itemAction: f.text(), ...f.ones('orders') },
    filters: ['order', 'itemAction'],
  }),
  row('invoices', {
    verbs: changeable,
    fields: {
      number: f.fixed(f.text()),
      status: f.choice('paid', 'not_paid', 'partially_paid', 'cancelled'),
      type: f.fixed(f.text('invoice')),
      ...amounts,
      isCreditNote: f.fixed(f.flag()),
      memo: f.text(),
      doNotifyNew: f.flag(),
      ...f.allFixed(f.ones('orders', 'customers')),
      ...f.below('invoices', 'items', 'metafields'),
    },
    filters: ['number', 'status', 'order', 'customer'],
  }),
  listed('invoices/{id}/items', {
    fields: {
      type: f.text('product'),
      title: f.text(),
      quantity: f.whole(1),
      ...f.decimals('priceExcl', 'priceIncl', 'taxRate'),
    },
  }),
  metafields('invoices/{id}/metafields'),
  row('shipments', {
    verbs: changeable,
    fields: {
      number: f.fixed(f.text()),
      status: f.choice('not_shipped', 'shipped', 'cancelled'),
      trackingCode: f.text(),
      ...f.flags('doNotifyShipped', 'doNotifyReadyForPickup', 'doNotifyTrackingCode'),
      ...f.allFixed({ totalWeight: f.whole(), ...f.decimals('totalSizeX', 'totalSizeY', 'totalSizeZ') }),
      ...f.allFixed(f.ones('orders', 'customers')),
      ...f.below('shipments', 'products', 'metafields'),
    },
    filters: ['number', 'status', 'order', 'customer'],
  }),
  listed('shipments/{id}/products', {
    fields: {
      quantity: f.whole(),
      ...f.texts('productTitle', 'variantTitle', 'articleCode', 'ean', 'sku'),
      weight: f.whole(),
      ...f.ones('products', 'variants'),
    },
  }),
  metafields('shipments/{id}/metafields'),
  row('returns', {
    verbs: ['list', 'count', 'read', 'update', 'delete'],
    fields: {
      status: f.choice('requested', 'authorized', 'rejected', 'received', 'completed'),
      ...f.texts('reason', 'memo'),
      ...f.ones('customers', 'orders'),
    },
    filters: ['status', 'customer', 'order'],
    seeds: [{ reason: 'Broken on arrival', customer: 90210 }],
  }),
]

const mug = { productTitle: 'Stoneware mug', quantity: 1, priceExcl: 9.5, priceIncl: 11.495 }

/** The methods of the providers for a quote. */
const methodsOf = (path: string): ResourceRow =>
  listed(path, {
    verbs: ['list', 'count'],
    fields: { title: f.text(), ...f.decimals('priceExcl', 'priceIncl') },
  })

const quoteRows = [
  row('quotes', {
    verbs: ['list', 'count', 'read', 'create', 'update'],
    fields: {
      status: f.choice('open', 'converted', 'cancelled'),
      ...f.decimals('priceExcl', 'priceIncl'),
      ...personFields,
      ...f.texts('comment', 'memo'),
      language: f.language(),
      ...f.ones('customers', 'orders'),
      ...f.below('quotes', 'products', 'shippingmethods', 'paymentmethods'),
    },
    filters: ['customer', 'email', 'status'],
    seeds: [{ customer: 90210, email: 'jane@shop.example', firstname: 'Jane', lastname: 'Doe' }],
  }),
  row('quotes/{id}/products', {
    undated: true,
    fields: {
      productTitle: f.text(),
      quantity: f.whole(1),
      ...f.decimals('priceExcl', 'priceIncl', 'taxRate'),
      ...f.ones('products', 'variants'),
    },
    required: ['product'],
    seeds: [{ quote: 1, product: 101, ...mug }],
  }),
  methodsOf('quotes/{id}/paymentmethods'),
  methodsOf('quotes/{id}/shippingmethods'),
  row('quotes/{id}/convert', {
    one: 'order',
    verbs: ['create'],
    fields: { ...orderFields, shipmentId: f.text(false), paymentId: f.text(false) },
  }),
]

/** Every resource of the platform's API that the sandbox plays: those that apps for shipping and payment use. */
export const resourceRows: readonly ResourceRow[] = [...shopRows, ...catalogRows, ...orderRows, ...quoteRows]
