import { envelopeOf, singularOf } from '../../platform/resource.ts'
import { handlingStatuses, paidStatuses, shipmentStatuses } from '../orders.ts'
import { allHidden, type Fields, fieldsOf, prefixed } from './fields.ts'

/** The figures of one piece. A product is written with them, and its variant shows them. */
const codes = 'articleCode, ean, sku'
const prices = 'priceExcl:decimal, priceIncl:decimal'
const sizes = 'sizeX:decimal, sizeY:decimal, sizeZ:decimal'
const stock = `taxRate:decimal=0.21, weight:whole, volume:whole, colli:whole, ${sizes}, stockLevel:whole=25`

const address = 'Name, Street, Street2, Number, Extension, Zipcode, City, Region, Country:country=nl'

/** The person of an order, a quote or an account, with both addresses. */
const person = `nationalId, email#, gender:choice=|male|female, firstname, middlename, lastname, phone, mobile, isCompany:flag,
  companyName, companyCoCNumber, companyVatNumber, ${prefixed('addressBilling', address)}, addressShippingCompany=false,
  ${prefixed('addressShipping', address)}`

const method = `Title!, BasePriceExcl!:decimal, BasePriceIncl!:decimal, PriceExcl!:decimal, PriceIncl!:decimal, TaxRate!:decimal,
  TaxRates!:data=[], Data!:data=[]`

const amounts = 'priceCost!:decimal, priceExcl!:decimal, priceIncl!:decimal'
const figures = 'weight!:whole, volume!:whole, colli!:whole'

// Of each resource: its address, verbs, traits, fields in the order of live platforms, and behind `+` the records of a new shop.
const text = `
external_services | LNRCUD | one=externalService anyLanguage | type*:choice=shipment|payment, name*, urlEndpoint*:endpoint,
  isActive:flag=true, rateEstimate:flag
app_subscriptions | LNRCD | one=appSubscription anyLanguage | type*:choice=recurring|onetime, title*, price*:decimal, callbackUrl*,
  appSubscriptionId?, status!, approvalUrl!:data=null, cancelUrl!
account | R | single undated | appId!:whole=false, apiKey!, signout!:data=false, permissions:below, ratelimit:below, metafields:below
account/permissions | R | single undated one=accountPermissions | read!:data=[], write!:data=[]
account/ratelimit | R | single undated | limit5Min!:data, limitHour!:data, limitDay!:data
account/metafields | LNR | | key*#, value
  + {"key": "plan", "value": "trial"}
shop | RU | single | status!=active, isB2b!:flag, isRetail!:flag, title=Sandbox shop, subDomain!=sandbox,
  mainDomain!=sandbox.shop.example, email=owner@shop.example, phone, street, street2, zipcode, city, region, country:country=nl,
  vatNumber, cocNumber, currency:currency, mainLanguage=en, metafields:below
shop/metafields | LNRCUD | | key*#, value
metafields | LNRCUD | | key*#, value
languages | LNR | undated | code#, locale, title, isActive#:flag=true, isDefault:flag
countries | LNR | undated | code#, code3, title
taxes | LNRCUD | | isDefault#:flag, title*, country#:country=nl, rate*:decimal, isShippingTax:flag, overrides:below
  + {"title": "High", "rate": 0.21, "isDefault": true}
  + {"title": "Low", "rate": 0.09}
taxes/{id}/overrides | LNRCUD | | country#:country=be, region=false, rate*:decimal, title
  + {"tax": 1, "country": "be", "rate": 0.21, "title": "BTW"}
paymentmethods | LNR | undated one=paymentMethod | title, type, isActive#:flag=true, icon=false
  + {"title": "Bank transfer", "type": "banktransfer"}
shippingmethods | LNR | undated one=shippingMethod | title, internalTitle, type=fixed, isActive#:flag=true, isPickup:flag,
  countries:below, values:below
  + {"title": "Standard delivery", "internalTitle": "standard"}
shippingmethods/{id}/countries | LNR | undated one=shippingMethodCountry many=shippingMethodCountries | country#:country=nl
  + {"shippingmethod": 1, "country": "nl"}
shippingmethods/{id}/values | LNR | undated one=shippingMethodValue | from:decimal, to:decimal=false, priceExcl:decimal
  + {"shippingmethod": 1, "from": 0, "priceExcl": 4.13}
webhooks | LNRCUD | | isActive#:flag=true, itemGroup*#, itemAction*#, language:language, format:choice=json|xml, address*#:endpoint
events | LNRD | undated | createdAt:time, itemGroup#, itemAction#, itemId#:whole
files | LNRCUD | | title, filename*#, extension, size!:whole, mimetype=application/octet-stream, src!:link, attachment?*:upload
  + {"title": "Manual", "filename": "manual.pdf", "extension": "pdf", "mimetype": "application/pdf"}
products | LNRCUD | | isVisible#:flag=true, visibility#:choice=visible|hidden|auto, hasMatrix:flag, data01, data02, data03, url, title,
  fulltitle, description, content, ${allHidden(`${codes}, ${prices}, ${stock}`)}, set:one=sets, brand#:one=brands,
  type#:one=types, deliverydate:one=deliverydates, image!:data=false, attributes:below, metafields:below,
  categories:naming=categories/products, variants:naming
products/{id}/attributes | LNRU | undated | title!, value, attribute!:one=attributes
products/{id}/metafields | LNRCUD | | key*#, value
  + {"product": 101, "key": "origin", "value": "nl"}
variants | LNRCUD | | isDefault#:flag, sortOrder:whole=1, title=Default, articleCode#, ean#, sku#, hs=false, ${prices},
  oldPriceExcl:decimal, oldPriceIncl:decimal, ${stock}, stockTracking:choice=enabled|disabled|indicator, stockAlert:whole,
  stockMinimum:whole, stockSold:whole, stockBuyMinimum:whole=1, stockBuyMaximum:whole=10000, unitPrice:decimal, unitUnit,
  weightValue=0.000, weightUnit=g, volumeValue:decimal, volumeUnit=ml, sizeXValue=0.000, sizeYValue=0.000, sizeZValue=0.000,
  sizeUnit=cm, matrix!:data=false, taxType!:data=null, image!:data=false, priceCost:decimal, options:data=[], tax:one=taxes,
  product*#:one=products, metafields:below
variants/{id}/metafields | LNRCUD | | key*#, value
  + {"variant": 1101, "key": "shelf", "value": "A3"}
attributes | LNRCUD | undated | title, defaultValue, types:naming=types/attributes
  + {"title": "Colour"}
types | LNRCUD | | title, attributes:naming=types/attributes
  + {"title": "Tableware"}
types/attributes | LNRCD | undated one=typesAttribute | sortOrder:whole=1, type*#:one=types, attribute*#:one=attributes
  + {"type": 1, "attribute": 1}
brands | LNRCUD | | url#, title, content, image!:data=false
  + {"title": "Kiln & Loom", "url": "kiln-loom"}
categories | LNRCUD | | isVisible#:flag=true, depth!:whole=1, path!:data=[], type:choice=category|textpage, sortOrder:whole=1,
  sorting:choice=default|popular|newest|lowest|highest|asc|desc, url#, title, fulltitle, description, content,
  parent#:one=categories, image!:data=false, children:many=categories?parent={id}, products:naming=categories/products
  + {"title": "Kitchen", "fulltitle": "Kitchen", "url": "kitchen"}
categories/products | LNRCD | undated one=categoriesProduct | sortOrder:whole=1, category*#:one=categories, product*#:one=products
  + {"category": 1, "product": 101}
customers | LNRCUD | | isConfirmed#:flag=true, type#:choice=private|company, lastOnlineAt:time, remoteIp, userAgent, birthDate:date,
  ${person.replace('email#', 'email*#')}, memo, doNotifyRegistered:flag, doNotifyConfirmed:flag, language:language, invoices:naming,
  orders:naming, shipments:naming, metafields:below
customers/{id}/metafields | LNRCUD | | key*#, value
  + {"customer": 90210, "key": "tier", "value": "gold"}
orders | LNRU | embeds=customer,invoices,shipments,products,quote,events | number!#, status#:choice=${handlingStatuses.join('|')},
  customStatusId#:whole=null, channel!=main, remoteIp, userAgent, referralId:data=false, ${amounts}, ${figures}, birthDate:date,
  ${person}, paymentStatus#:choice=${paidStatuses.join('|')}, paymentIsPost!:flag, paymentIsInvoiceExternal!:flag,
  paymentId!=false, ${prefixed('payment', method)}, shipmentStatus#:choice=${shipmentStatuses.join('|')}|waiting_for_pickup,
  shipmentIsCashOnDelivery!:flag, shipmentIsPickup!:flag, shipmentId!=false, ${prefixed('shipment', method)},
  shipmentDiscountExcl!:decimal, shipmentDiscountIncl!:decimal, taxRates!:data=[], trackingCode, shippingDate:time=null,
  deliveryDate:time=null, isDiscounted:flag, discountType:choice=amount|percentage, discountAmount:decimal,
  discountPercentage:decimal, discountCouponCode, isNewCustomer:flag, comment, memo, newsletterSubscribed:flag,
  allowNotifications:flag=true, doNotifyNew:flag, doNotifyReminder:flag, doNotifyCancelled:flag, invoice!, language!:language,
  customer!#:one=customers, invoices:naming, shipments:naming, products:below, metafields:below, quote!:one=quotes,
  events:naming=orders/events
orders/{id}/products | LNR | undated | productTitle, variantTitle, brandTitle, supplierTitle, ${codes}, ${figures}, ${sizes},
  taxRate:decimal, quantityOrdered:whole, quantityInvoiced:whole, quantityShipped:whole, quantityRefunded:whole,
  quantityReturned:whole, basePriceExcl:decimal, basePriceIncl:decimal, customExcl:decimal, customIncl:decimal, priceCost:decimal,
  ${prices}, discountExcl:decimal, discountIncl:decimal, product:one=products, variant:one=variants, customFields:data=false
orders/{id}/metafields | LNRCUD | | key*#, value
orders/customstatuses | LNRCUD | one=customStatus many=customStatuses | title, color, isActive#:flag=true, sortOrder:whole=1
  + {"title": "Waiting for engraving", "color": "#336699"}
orders/events | LNR | undated | createdAt:time, itemAction#, order#:one=orders
invoices | LNRU | | number!#, status#:choice=paid|not_paid|partially_paid|cancelled, type!=invoice, ${amounts}, isCreditNote!:flag,
  memo, doNotifyNew:flag, order!#:one=orders, customer!#:one=customers, items:below, metafields:below
invoices/{id}/items | LNR | undated | type=product, title, quantity:whole=1, ${prices}, taxRate:decimal
invoices/{id}/metafields | LNRCUD | | key*#, value
shipments | LNRU | | number!#, status#:choice=not_shipped|shipped|cancelled, trackingCode, doNotifyShipped:flag,
  doNotifyReadyForPickup:flag, doNotifyTrackingCode:flag, totalWeight!:whole, totalSizeX!:decimal, totalSizeY!:decimal,
  totalSizeZ!:decimal, order!#:one=orders, customer!#:one=customers, products:below, metafields:below
shipments/{id}/products | LNR | undated | quantity:whole, productTitle, variantTitle, ${codes}, weight:whole, product:one=products,
  variant:one=variants
shipments/{id}/metafields | LNRCUD | | key*#, value
returns | LNRUD | | status#:choice=requested|authorized|rejected|received|completed, reason, memo, customer#:one=customers,
  order#:one=orders
  + {"reason": "Broken on arrival", "customer": 90210}
quotes | LNRCU | | status#:choice=open|converted|cancelled, ${prices}, ${person}, comment, memo, language:language,
  customer#:one=customers, order:one=orders, products:below
  + {"customer": 90210, "email": "jane@shop.example", "firstname": "Jane", "lastname": "Doe"}
quotes/{id}/products | LNRCUD | undated | productTitle, quantity:whole=1, ${prices}, taxRate:decimal, product*:one=products,
  variant:one=variants
  + {"quote": 1, "product": 101, "productTitle": "Stoneware mug"}`

let rows: readonly ResourceRow[] | undefined

/** Every resource of the platform's API that the sandbox plays: those that apps for shipping and payment use. */
export function resourceRows(): readonly ResourceRow[] {
  rows ??= text
    .trim()
    .split(/\n(?! )/)
    .map(rowOf)
  return rows
}

export type ResourceRow = ReturnType<typeof rowOf>

/**
 * A row from text such as `taxes/{id}/overrides | LNR | undated one=taxOverride | country, rate`, with a seed on each line behind `+`. The
 * envelopes follow from the address where it is regular, that of a list from the one of a record. A nested record names its owner last.
 */
export function rowOf(text: string) {
  const [given = '', ...seeds] = text.split(/\n\s+\+ /)
  const [path = '', letters = '', traits = '', fields = ''] = given.split(/ *\| /)
  const trait = (name: string) => new RegExp(`\\b${name}(?:=(\\S+))?`).exec(traits)
  const owner = ownerOf(path)
  const own: Fields = fields === '' ? {} : fieldsOf(path, fields)
  const marked = (mark: 'required' | 'filter') => Object.keys(own).filter((name) => own[name]![mark])
  const required = marked('required')
  const one = trait('one')?.[1]
  return {
    /** Its address behind the language, with `{id}` for the id of a record: `products/{id}/metafields`. */
    path,
    /** The envelopes of one record and of a list. */
    one: one ?? envelopeOf(path),
    many: trait('many')?.[1] ?? (one === undefined ? manyOf(path) : `${one}s`),
    /** Its operations (spec 4.1): List, couNt, Read, Create, Update, Delete. */
    verbs: letters,
    /** Fields that a new record needs. Default: its title. */
    required: required.length === 0 && own.title && letters.includes('C') ? ['title'] : required,
    /** Fields that select the records of a list by equality, beside those that every list has. */
    filters: marked('filter'),
    /** One record, without an id in its address and without a list. */
    single: trait('single') !== null,
    /** Records without `createdAt` and `updatedAt`. */
    undated: trait('undated') !== null,
    /** Its address may stand without a language (spec 4.2). */
    anyLanguage: trait('anyLanguage') !== null,
    /** Relations whose records stand in an event too. */
    embeds: trait('embeds')?.[1]?.split(',') ?? [],
    /** The records of a new shop. */
    seeds: seeds.map((seed): Record<string, unknown> => JSON.parse(seed)),
    fields: owner === undefined ? own : { ...own, ...fieldsOf(path, `${ownerFieldOf(path)}:one=${owner}`) },
  }
}

function manyOf(path: string): string {
  const names = path.split('/').filter((part) => part !== '{id}')
  const [first = '', ...others] = [...names.slice(0, -1).map(singularOf), names.at(-1)!]
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The row of the record that a nested one belongs to, as its address: `products` of `products/{id}/metafields`. */
export function ownerOf(path: string): string | undefined {
  const place = path.lastIndexOf('/{id}/')
  return place === -1 ? undefined : path.slice(0, place)
}

/** The field of a nested record that holds its owner: `product` in `products/{id}/metafields`. */
export function ownerFieldOf(path: string): string | undefined {
  const owner = ownerOf(path)
  return owner === undefined ? undefined : singularOf(owner.split('/').at(-1)!)
}
