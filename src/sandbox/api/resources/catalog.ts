import * as f from './row.ts'
import { joining, listed, metafields, type ResourceRow, readOnly, row, single } from './row.ts'

const image = {
  ...f.texts('title', 'filename'),
  extension: f.text('jpg'),
  size: f.whole(),
  src: f.link(),
  thumb: f.link(),
  attachment: f.upload(),
}

/** The one image of a record. */
const imageOf = (owner: string): ResourceRow =>
  single(`${owner}/{id}/image`, { verbs: ['read', 'create', 'delete'], fields: image, required: [] })

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

/** Products and what they are sorted by. */
export const catalogRows: readonly ResourceRow[] = [
  row('products', {
    fields: {
      isVisible: f.flag(true),
      visibility: f.choice('visible', 'hidden', 'auto'),
      hasMatrix: f.flag(),
      ...f.texts('data01', 'data02', 'data03', 'url', 'title', 'fulltitle', 'description', 'content'),
      ...piece,
      ...f.ones('sets', 'brands', 'types', 'suppliers', 'deliverydates'),
      ...f.below('products', 'images', 'relations', 'attributes'),
      filters: f.many('products/{id}/filtervalues'),
      ...f.below('products', 'metafields'),
      ...f.naming('product', 'reviews'),
      categories: f.many('categories/products?product={id}'),
      tags: f.many('tags/products?product={id}'),
      ...f.naming('product', 'variants', 'variants/movements'),
    },
    filters: ['brand', 'supplier', 'type', 'visibility', 'isVisible', 'sku', 'ean', 'articleCode'],
  }),
  row('products/{id}/images', {
    fields: { sortOrder: f.whole(1), ...image },
    required: [],
    filters: ['sortOrder'],
    seeds: [
      { product: 101, filename: 'mug.jpg', title: 'Stoneware mug', src: 'https://cdn.shop.example/mug.jpg' },
    ],
  }),
  row('products/{id}/attributes', {
    undated: true,
    verbs: ['list', 'count', 'read', 'update', 'delete'],
    fields: { ...f.texts('title', 'value'), ...f.ones('attributes') },
    bulk: { verb: 'update', at: 'list', envelope: 'productAttributes' },
    seeds: [{ product: 101, attribute: 1, title: 'Colour', value: 'grey' }],
  }),
  row('products/{id}/relations', {
    fields: { sortOrder: f.whole(1), relatedProduct: f.one('products') },
    required: ['relatedProduct'],
    seeds: [{ product: 101, relatedProduct: 102 }],
  }),
  row('products/{id}/filtervalues', {
    undated: true,
    verbs: ['list', 'count', 'create', 'delete'],
    fields: { filter: f.one('filters'), filtervalue: f.one('filters/{id}/values') },
    required: ['filter'],
    seeds: [{ product: 101, filter: 1 }],
  }),
  metafields('products/{id}/metafields', { seeds: [{ product: 101, key: 'origin', value: 'nl' }] }),
  row('catalog', {
    one: 'product',
    verbs: readOnly,
    fields: {
      ...f.texts('title', 'fulltitle', 'url'),
      isVisible: f.flag(true),
      variants: f.data([]),
      images: f.data([]),
    },
    filters: ['brand', 'isVisible'],
  }),
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
      ...f.allFixed({ matrix: f.data(false), taxType: f.data(null) }),
      additionalcost: f.one('additionalcosts'),
      priceCost: f.decimal(),
      options: f.data([]),
      ...f.ones('taxes', 'products'),
      ...f.below('variants', 'image'),
      ...f.naming('variant', 'variants/movements'),
      ...f.below('variants', 'metafields'),
    },
    bulk: { verb: 'update', at: 'bulk', envelope: 'variant' },
    required: ['product'],
    filters: ['product', 'sku', 'ean', 'articleCode', 'isDefault'],
  }),
  imageOf('variants'),
  listed('variants/movements', {
    one: 'variantsMovement',
    fields: {
      createdAt: f.time(),
      channel: f.text('backoffice'),
      stockLevelChange: f.whole(),
      priceExcl: f.decimal(),
      ...f.ones('variants', 'products'),
    },
    filters: ['variant', 'product'],
    seeds: [{ createdAt: '2026-01-05T10:00:00+00:00', stockLevelChange: 25, variant: 1101, product: 101 }],
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
    fields: { ...f.texts('url', 'title', 'content'), ...f.below('brands', 'image') },
    filters: ['url'],
    seeds: [{ title: 'Kiln & Loom', url: 'kiln-loom' }],
  }),
  imageOf('brands'),
  row('categories', {
    fields: {
      isVisible: f.flag(true),
      depth: f.whole(1),
      path: f.data([]),
      type: f.choice('category', 'textpage'),
      sortOrder: f.whole(1),
      sorting: f.choice('default', 'popular', 'newest', 'lowest', 'highest', 'asc', 'desc'),
      ...f.texts('url', 'title', 'fulltitle', 'description', 'content'),
      parent: f.one('categories'),
      ...f.below('categories', 'image'),
      children: f.many('categories?parent={id}'),
      ...f.naming('category', 'categories/products'),
    },
    filters: ['parent', 'isVisible', 'url'],
    seeds: [{ title: 'Kitchen', fulltitle: 'Kitchen', url: 'kitchen' }],
  }),
  imageOf('categories'),
  joining('categories/products', ['categories', 'products'], {
    one: 'categoriesProduct',
    fields: { sortOrder: f.whole(1) },
    bulk: {
      verb: 'create',
      at: 'bulk',
      envelope: 'categoriesProduct',
      each: { ids: 'categories', field: 'category' },
    },
    seeds: [{ category: 1, product: 101 }],
  }),
  row('tags', {
    fields: { isVisible: f.flag(true), ...f.texts('url', 'title'), ...f.naming('tag', 'tags/products') },
    filters: ['isVisible', 'url'],
    seeds: [{ title: 'handmade', url: 'handmade' }],
  }),
  joining('tags/products', ['tags', 'products'], { one: 'tagsProduct', seeds: [{ tag: 1, product: 101 }] }),
  row('filters', {
    fields: { ...f.texts('title', 'url'), ...f.below('filters', 'values') },
    filters: ['url'],
    seeds: [{ title: 'Material', url: 'material' }],
  }),
  row('filters/{id}/values', {
    undated: true,
    fields: { title: f.text(), sortOrder: f.whole(1) },
    seeds: [{ filter: 1, title: 'Stoneware' }],
  }),
  row('sets', {
    fields: { title: f.text(), options: f.data([]) },
    seeds: [{ title: 'Sizes', options: [{ name: 'Size', values: ['S', 'M', 'L'] }] }],
  }),
  row('suppliers', {
    fields: { ...f.texts('title', 'email', 'phone'), isActive: f.flag(true) },
    filters: ['email', 'isActive'],
    seeds: [{ title: 'Pottery wholesale', email: 'sales@pottery.example' }],
  }),
  row('discounts', {
    fields: {
      isActive: f.flag(true),
      status: f.fixed(f.text('active')),
      type: f.choice('amount', 'percentage', 'shipping'),
      code: f.text(),
      discount: f.decimal(),
      applyTo: f.choice('productscategories', 'orders'),
      startDate: f.time(),
      endDate: f.time(),
      minimumAmount: f.decimal(),
      usageLimit: f.whole(),
      timesUsed: f.fixed(f.whole()),
    },
    required: ['code', 'discount'],
    filters: ['code', 'isActive', 'type'],
    seeds: [{ code: 'WELCOME', type: 'percentage', discount: 10 }],
  }),
  row('discountrules', {
    one: 'discountRule',
    fields: {
      title: f.text(),
      isActive: f.flag(true),
      discountType: f.choice('percentage', 'amount'),
      discount: f.decimal(),
      ...f.ones('products', 'categories', 'brands'),
    },
    required: ['title', 'discount'],
    filters: ['isActive', 'product', 'category', 'brand'],
    seeds: [{ title: 'Spring', discount: 5, category: 1 }],
  }),
  row('theme/categories', {
    fields: { sortOrder: f.whole(1), ...f.ones('categories') },
    required: ['category'],
    seeds: [{ category: 1 }],
  }),
  row('theme/products', {
    fields: { sortOrder: f.whole(1), ...f.ones('products') },
    required: ['product'],
    seeds: [{ product: 101 }],
  }),
]
