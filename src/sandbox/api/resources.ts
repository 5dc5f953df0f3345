import { handlingStatuses, paidStatuses, shipmentStatuses } from '../orders.ts'
import { allHidden, prefixed } from './fields.ts'
import {
  changeable,
  joining,
  listed,
  metafields,
  type ResourceRow,
  readOnly,
  row,
  single,
  unchangeable,
} from './rows.ts'

/** External services and charges (spec 4.2), the account of the caller, the shop and its settings. */
const shopRows = [
  row(
    'external_services',
    'type*:choice=shipment|payment, name*, urlEndpoint*:endpoint, isActive:flag=true, rateEstimate:flag',
    { one: 'externalService', anyLanguage: true },
  ),
  row(
    'app_subscriptions',
    `type*:choice=recurring|onetime, title*, price*:decimal, callbackUrl*, appSubscriptionId?, status!, approvalUrl!:data=null,
    cancelUrl!`,
    { one: 'appSubscription', anyLanguage: true, verbs: unchangeable },
  ),
  single(
    'account',
    'appId!:whole=false, apiKey!, signout!:data=false, permissions:below, ratelimit:below, metafields:below',
  ),
  single('account/permissions', 'read!:data=[], write!:data=[]', { one: 'accountPermissions' }),
  single('account/ratelimit', 'limit5Min!:data, limitHour!:data, limitDay!:data'),
  metafields('account/metafields', { verbs: readOnly, seeds: [{ key: 'plan', value: 'trial' }] }),
  row(
    'shop',
    `status!=active, isB2b!:flag, isRetail!:flag, title=Sandbox shop, subDomain!=sandbox,
    mainDomain!=sandbox.shop.example, email=owner@shop.example, phone, street, street2, zipcode, city, region,
    country:country=nl, vatNumber, cocNumber, currency:currency, mainLanguage=en, metafields:below`,
    { single: true, verbs: ['read', 'update'] },
  ),
  metafields('shop/metafields'),
  metafields('metafields'),
  listed('languages', 'code#, locale, title, isActive#:flag=true, isDefault:flag'),
  listed('countries', 'code#, code3, title'),
  row(
    'taxes',
    'isDefault#:flag, title*, country#:country=nl, rate*:decimal, isShippingTax:flag, overrides:below',
    {
      seeds: [
        { title: 'High', rate: 0.21, isDefault: true },
        { title: 'Low', rate: 0.09 },
      ],
    },
  ),
  row('taxes/{id}/overrides', 'country#:country=be, region=false, rate*:decimal, title', {
    seeds: [{ tax: 1, country: 'be', rate: 0.21, title: 'BTW' }],
  }),
  listed('paymentmethods', 'title, type, isActive#:flag=true, icon=false', {
    one: 'paymentMethod',
    seeds: [{ title: 'Bank transfer', type: 'banktransfer' }],
  }),
  listed(
    'shippingmethods',
    'title, internalTitle, type=fixed, isActive#:flag=true, isPickup:flag, countries:below, values:below',
    { one: 'shippingMethod', seeds: [{ title: 'Standard delivery', internalTitle: 'standard' }] },
  ),
  listed('shippingmethods/{id}/countries', 'country#:country=nl', {
    one: 'shippingMethodCountry',
    many: 'shippingMethodCountries',
    seeds: [{ shippingmethod: 1, country: 'nl' }],
  }),
  listed('shippingmethods/{id}/values', 'from:decimal, to:decimal=false, priceExcl:decimal', {
    one: 'shippingMethodValue',
    seeds: [{ shippingmethod: 1, from: 0, priceExcl: 4.13 }],
  }),
  row('deliverydates', 'name*, inStockMessage, outStockMessage', {
    seeds: [{ name: 'Usual', inStockMessage: 'Tomorrow at your door', outStockMessage: 'Within a week' }],
  }),
  row(
    'webhooks',
    'isActive#:flag=true, itemGroup*#, itemAction*#, language:language, format:choice=json|xml, address*#:endpoint',
  ),
  row('events', 'createdAt:time, itemGroup#, itemAction#, itemId#:whole', {
    undated: true,
    verbs: ['list', 'count', 'read', 'delete'],
  }),
  row(
    'files',
    'title, filename*#, extension, size!:whole, mimetype=application/octet-stream, src!:link, attachment?*:upload',
    {
      seeds: [{ title: 'Manual', filename: 'manual.pdf', extension: 'pdf', mimetype: 'application/pdf' }],
    },
  ),
]

/** The figures of one piece. A product is written with them, and its variant shows them. */
const codes = 'articleCode, ean, sku'
const prices = 'priceExcl:decimal, priceIncl:decimal'
const stock = `taxRate:decimal=0.21, weight:whole, volume:whole, colli:whole, sizeX:decimal, sizeY:decimal, sizeZ:decimal,
  stockLevel:whole=25`

const catalogRows = [
  row(
    'products',
    `isVisible#:flag=true, visibility#:choice=visible|hidden|auto, hasMatrix:flag, data01, data02, data03, url, title, fulltitle,
    description, content, ${allHidden(`${codes}, ${prices}, ${stock}`)}, set:one=sets, brand#:one=brands, type#:one=types,
    deliverydate:one=deliverydates, image!:data=false, attributes:below, metafields:below,
    categories:naming=categories/products, variants:naming`,
  ),
  listed('products/{id}/attributes', 'title!, value, attribute!:one=attributes', { verbs: changeable }),
  metafields('products/{id}/metafields', { seeds: [{ product: 101, key: 'origin', value: 'nl' }] }),
  row(
    'variants',
    `isDefault#:flag, sortOrder:whole=1, title=Default, articleCode#, ean#, sku#, hs=false, ${prices}, oldPriceExcl:decimal,
    oldPriceIncl:decimal, ${stock}, stockTracking:choice=enabled|disabled|indicator, stockAlert:whole, stockMinimum:whole,
    stockSold:whole, stockBuyMinimum:whole=1, stockBuyMaximum:whole=10000, unitPrice:decimal, unitUnit, weightValue=0.000,
    weightUnit=g, volumeValue:decimal, volumeUnit=ml, sizeXValue=0.000, sizeYValue=0.000, sizeZValue=0.000, sizeUnit=cm,
    matrix!:data=false, taxType!:data=null, image!:data=false, priceCost:decimal, options:data=[], tax:one=taxes,
    product*#:one=products, metafields:below`,
  ),
  metafields('variants/{id}/metafields', { seeds: [{ variant: 1101, key: 'shelf', value: 'A3' }] }),
  row('attributes', 'title, defaultValue, types:naming=types/attributes', {
    undated: true,
    seeds: [{ title: 'Colour' }],
  }),
  row('types', 'title, attributes:naming=types/attributes', { seeds: [{ title: 'Tableware' }] }),
  joining('types/attributes', ['types', 'attributes'], {
    one: 'typesAttribute',
    seeds: [{ type: 1, attribute: 1 }],
  }),
  row('brands', 'url#, title, content, image!:data=false', {
    seeds: [{ title: 'Kiln & Loom', url: 'kiln-loom' }],
  }),
  row(
    'categories',
    `isVisible#:flag=true, depth!:whole=1, path!:data=[], type:choice=category|textpage, sortOrder:whole=1,
    sorting:choice=default|popular|newest|lowest|highest|asc|desc, url#, title, fulltitle, description, content,
    parent#:one=categories, image!:data=false, children:many=categories?parent={id}, products:naming=categories/products`,
    { seeds: [{ title: 'Kitchen', fulltitle: 'Kitchen', url: 'kitchen' }] },
  ),
  joining('categories/products', ['categories', 'products'], {
    one: 'categoriesProduct',
    seeds: [{ category: 1, product: 101 }],
  }),
  row('sets', 'title, options:data=[]', {
    seeds: [{ title: 'Sizes', options: [{ name: 'Size', values: ['S', 'M', 'L'] }] }],
  }),
]

const address = 'Name, Street, Street2, Number, Extension, Zipcode, City, Region, Country:country=nl'

/** The person of an order, a quote or an account, with both addresses. */
const person = `nationalId, email#, gender:choice=|male|female, firstname, middlename, lastname, phone, mobile, isCompany:flag,
  companyName, companyCoCNumber, companyVatNumber, ${prefixed('addressBilling', address)}, addressShippingCompany=false,
  ${prefixed('addressShipping', address)}`

/** The method of an order, behind its kind: `shipmentTitle`. */
const method = `Title!, BasePriceExcl!:decimal, BasePriceIncl!:decimal, PriceExcl!:decimal, PriceIncl!:decimal, TaxRate!:decimal,
  TaxRates!:data=[], Data!:data=[]`

const amounts = 'priceCost!:decimal, priceExcl!:decimal, priceIncl!:decimal'
const figures = 'weight!:whole, volume!:whole, colli!:whole'

/** An order, in the order of live platforms. */
const order = `number!#, status#:choice=${handlingStatuses.join('|')}, customStatusId#:whole=null, channel!=main, remoteIp, userAgent,
  referralId:data=false, ${amounts}, ${figures}, birthDate:date, ${person}, paymentStatus#:choice=${paidStatuses.join('|')},
  paymentIsPost!:flag, paymentIsInvoiceExternal!:flag, paymentId!=false, ${prefixed('payment', method)},
  shipmentStatus#:choice=${shipmentStatuses.join('|')}|waiting_for_pickup, shipmentIsCashOnDelivery!:flag,
  shipmentIsPickup!:flag, shipmentId!=false, ${prefixed('shipment', method)}, shipmentDiscountExcl!:decimal,
  shipmentDiscountIncl!:decimal, taxRates!:data=[], trackingCode, shippingDate:time=null, deliveryDate:time=null,
  isDiscounted:flag, discountType:choice=amount|percentage, discountAmount:decimal, discountPercentage:decimal,
  discountCouponCode, isNewCustomer:flag, comment, memo, newsletterSubscribed:flag, allowNotifications:flag=true,
  doNotifyNew:flag, doNotifyReminder:flag, doNotifyCancelled:flag, invoice!, language!:language, customer!#:one=customers,
  invoices:naming, shipments:naming, products:below, metafields:below, quote!:one=quotes, events:naming=orders/events`

/** Customers, their orders, and what follows from those. */
const orderRows = [
  row(
    'customers',
    `isConfirmed#:flag=true, type#:choice=private|company, lastOnlineAt:time, remoteIp, userAgent, birthDate:date, ${person},
    memo, doNotifyRegistered:flag, doNotifyConfirmed:flag, language:language, invoices:naming, orders:naming,
    shipments:naming, metafields:below`,
    { required: ['email'] },
  ),
  metafields('customers/{id}/metafields', { seeds: [{ customer: 90210, key: 'tier', value: 'gold' }] }),
  row('orders', order, {
    verbs: changeable,
    embeds: ['customer', 'invoices', 'shipments', 'products', 'quote', 'events'],
  }),
  listed(
    'orders/{id}/products',
    `productTitle, variantTitle, brandTitle, supplierTitle, ${codes}, ${figures}, sizeX:decimal, sizeY:decimal, sizeZ:decimal,
    taxRate:decimal, quantityOrdered:whole, quantityInvoiced:whole, quantityShipped:whole, quantityRefunded:whole,
    quantityReturned:whole, basePriceExcl:decimal, basePriceIncl:decimal, customExcl:decimal, customIncl:decimal,
    priceCost:decimal, ${prices}, discountExcl:decimal, discountIncl:decimal, product:one=products, variant:one=variants,
    customFields:data=false`,
  ),
  metafields('orders/{id}/metafields'),
  row('orders/customstatuses', 'title, color, isActive#:flag=true, sortOrder:whole=1', {
    one: 'customStatus',
    many: 'customStatuses',
    seeds: [{ title: 'Waiting for engraving', color: '#336699' }],
  }),
  listed('orders/events', 'createdAt:time, itemAction#, order#:one=orders'),
  row(
    'invoices',
    `number!#, status#:choice=paid|not_paid|partially_paid|cancelled, type!=invoice, ${amounts}, isCreditNote!:flag, memo,
    doNotifyNew:flag, order!#:one=orders, customer!#:one=customers, items:below, metafields:below`,
    { verbs: changeable },
  ),
  listed('invoices/{id}/items', `type=product, title, quantity:whole=1, ${prices}, taxRate:decimal`),
  metafields('invoices/{id}/metafields'),
  row(
    'shipments',
    `number!#, status#:choice=not_shipped|shipped|cancelled, trackingCode, doNotifyShipped:flag, doNotifyReadyForPickup:flag,
    doNotifyTrackingCode:flag, totalWeight!:whole, totalSizeX!:decimal, totalSizeY!:decimal, totalSizeZ!:decimal,
    order!#:one=orders, customer!#:one=customers, products:below, metafields:below`,
    { verbs: changeable },
  ),
  listed(
    'shipments/{id}/products',
    `quantity:whole, productTitle, variantTitle, ${codes}, weight:whole, product:one=products, variant:one=variants`,
  ),
  metafields('shipments/{id}/metafields'),
  row(
    'returns',
    'status#:choice=requested|authorized|rejected|received|completed, reason, memo, customer#:one=customers, order#:one=orders',
    {
      verbs: ['list', 'count', 'read', 'update', 'delete'],
      seeds: [{ reason: 'Broken on arrival', customer: 90210 }],
    },
  ),
]

const quoteRows = [
  row(
    'quotes',
    `status#:choice=open|converted|cancelled, ${prices}, ${person}, comment, memo, language:language, customer#:one=customers,
    order:one=orders, products:below`,
    {
      verbs: ['list', 'count', 'read', 'create', 'update'],
      seeds: [{ customer: 90210, email: 'jane@shop.example', firstname: 'Jane', lastname: 'Doe' }],
    },
  ),
  row(
    'quotes/{id}/products',
    `productTitle, quantity:whole=1, ${prices}, taxRate:decimal, product*:one=products, variant:one=variants`,
    { undated: true, seeds: [{ quote: 1, product: 101, productTitle: 'Stoneware mug' }] },
  ),
]

/** Every resource of the platform's API that the sandbox plays: those that apps for shipping and payment use. */
export const resourceRows: readonly ResourceRow[] = [...shopRows, ...catalogRows, ...orderRows, ...quoteRows]
