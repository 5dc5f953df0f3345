import * as f from './row.ts'
import { joining, listed, metafields, type ResourceRow, readOnly, row, single } from './row.ts'

/** The account of the caller, the shop and its settings. */
export const shopRows: readonly ResourceRow[] = [
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
      currency: f.text('eur'),
      mainLanguage: f.text('en'),
      ...f.parts('shop', 'domains', 'company', 'limits', 'javascript', 'website', 'scripts'),
      trackings: f.many('shop/tracking'),
      ...f.parts('shop', 'metafields'),
    },
  }),
  listed('shop/domains', {
    fields: { domain: f.text(), isMain: f.flag(), isSsl: f.flag(true) },
    filters: ['isMain'],
    seeds: [{ domain: 'sandbox.shop.example', isMain: true }],
  }),
  single('shop/company', {
    fields: {
      name: f.text('Sandbox shop'),
      ...f.texts('street', 'zipcode', 'city'),
      country: f.country('nl'),
      ...f.texts('vatNumber', 'cocNumber'),
    },
  }),
  single('shop/javascript', { verbs: ['read', 'update'], fields: { content: f.text() } }),
  single('shop/limits', {
    one: 'shopLimits',
    fields: { products: f.whole(1_000_000), languages: f.whole(25), users: f.whole(10) },
  }),
  single('shop/settings', {
    one: 'shopSettings',
    fields: { checkout: f.data({ guest: true }), priceFormat: f.text('incl'), weightUnit: f.text('g') },
  }),
  single('shop/website', { fields: { theme: f.text('default'), isPublished: f.flag(true), meta: f.data() } }),
  row('shop/scripts', {
    fields: { ...f.texts('url', 'body'), location: f.choice('body', 'head', 'footer') },
    required: ['url'],
    seeds: [{ url: 'https://app.example/script.js' }],
  }),
  row('shop/tracking', {
    one: 'shopTracking',
    fields: { type: f.choice('orders', 'all'), content: f.text() },
    required: ['content'],
    seeds: [{ content: '<!-- tracking -->' }],
  }),
  metafields('shop/metafields'),
  metafields('metafields'),
  listed('languages', {
    fields: { ...f.texts('code', 'locale', 'title'), isActive: f.flag(true), isDefault: f.flag() },
    filters: ['code', 'isActive'],
  }),
  listed('countries', { fields: f.texts('code', 'code3', 'title'), filters: ['code'] }),
  row('locations', {
    alsoOne: 'locations',
    fields: {
      ...f.texts('title', 'email', 'street', 'number', 'zipcode', 'city'),
      country: f.country('nl'),
      isActive: f.flag(true),
    },
    filters: ['isActive'],
    seeds: [{ title: 'Warehouse', zipcode: '1016GV', city: 'Amsterdam' }],
  }),
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
  row('additionalcosts', {
    one: 'additionalCost',
    verbs: ['list', 'count', 'read', 'update', 'delete'],
    fields: { title: f.text(), type: f.text('fixed'), amount: f.decimal(), isActive: f.flag(true) },
    filters: ['isActive'],
    seeds: [{ title: 'Gift wrapping', amount: 2.5 }],
  }),
  row('redirects', {
    fields: { ...f.texts('url', 'target'), isPermanent: f.flag(true) },
    required: ['url', 'target'],
    filters: ['url'],
    seeds: [{ url: '/old', target: '/new' }],
  }),
  row('subscriptions', {
    fields: { isConfirmed: f.flag(), ...f.texts('email', 'firstname', 'lastname'), language: f.language() },
    required: ['email'],
    filters: ['email', 'isConfirmed'],
    seeds: [{ email: 'reader@shop.example', isConfirmed: true }],
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
  single('time', { fields: { ...f.texts('rfc822', 'iso8601'), timestamp: f.whole() } }),
  single('dashboard', {
    fields: { ...f.wholes('orders', 'customers', 'products'), ...f.decimals('revenue') },
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

/** Pages and blogs. */
export const contentRows: readonly ResourceRow[] = [
  row('textpages', {
    fields: {
      isVisible: f.flag(true),
      ...f.texts('url', 'title', 'description', 'content'),
      language: f.language(),
    },
    filters: ['isVisible', 'url'],
    seeds: [{ title: 'About us', url: 'about' }],
  }),
  row('blogs', {
    fields: { isActive: f.flag(true), ...f.texts('url', 'title'), ...f.naming('blog', 'blogs/articles') },
    filters: ['isActive', 'url'],
    seeds: [{ title: 'News', url: 'news' }],
  }),
  row('blogs/articles', {
    fields: {
      isVisible: f.flag(true),
      ...f.texts('url', 'title', 'author', 'summary', 'content'),
      ...f.ones('blogs'),
      ...f.below('blogs/articles', 'image'),
      ...f.naming('article', 'blogs/articles/tags', 'blogs/comments'),
    },
    required: ['title', 'blog'],
    filters: ['blog', 'isVisible', 'url'],
    seeds: [{ title: 'A new kiln', url: 'a-new-kiln', blog: 1 }],
  }),
  single('blogs/articles/{id}/image', {
    verbs: ['read', 'create', 'delete'],
    fields: { filename: f.text(), src: f.link(), attachment: f.upload() },
  }),
  joining('blogs/articles/tags', ['blogs/articles', 'blogs/tags'], { seeds: [{ article: 1, tag: 1 }] }),
  row('blogs/comments', {
    fields: { isVisible: f.flag(), ...f.texts('name', 'email', 'content'), ...f.ones('blogs/articles') },
    required: ['content'],
    filters: ['article', 'isVisible'],
    seeds: [{ name: 'A reader', content: 'Beautiful', article: 1, isVisible: true }],
  }),
  row('blogs/tags', {
    fields: { ...f.texts('title', 'url'), sortOrder: f.whole(1) },
    filters: ['url'],
    seeds: [{ title: 'pottery', url: 'pottery' }],
  }),
]
