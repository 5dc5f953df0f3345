import { flag, language, link, many, one, text, upload, whole } from './fields.ts'
import { joining, type ResourceRow, row } from './row.ts'

/** Pages and blogs. */
export const contentRows: readonly ResourceRow[] = [
  row('textpages', {
    fields: {
      isVisible: flag(true),
      url: text(),
      title: text(),
      description: text(),
      content: text(),
      language: language(),
    },
    required: ['title'],
    filters: ['isVisible', 'url'],
    seeds: [{ title: 'About us', url: 'about' }],
  }),
  row('blogs', {
    fields: { isActive: flag(true), url: text(), title: text(), articles: many('blogs/articles?blog={id}') },
    required: ['title'],
    filters: ['isActive', 'url'],
    seeds: [{ title: 'News', url: 'news' }],
  }),
  row('blogs/articles', {
    fields: {
      isVisible: flag(true),
      url: text(),
      title: text(),
      author: text(),
      summary: text(),
      content: text(),
      blog: one('blogs'),
      image: many('blogs/articles/{id}/image'),
      tags: many('blogs/articles/tags?article={id}'),
      comments: many('blogs/comments?article={id}'),
    },
    required: ['title', 'blog'],
    filters: ['blog', 'isVisible', 'url'],
    seeds: [{ title: 'A new kiln', url: 'a-new-kiln', blog: 1 }],
  }),
  row('blogs/articles/{id}/image', {
    one: 'blogArticleImage',
    single: true,
    undated: true,
    verbs: ['read', 'create', 'delete'],
    fields: { filename: text(), src: link(), attachment: upload(), article: one('blogs/articles') },
  }),
  row('blogs/articles/tags', {
    undated: true,
    verbs: joining,
    fields: { article: one('blogs/articles'), tag: one('blogs/tags') },
    required: ['article', 'tag'],
    filters: ['article', 'tag'],
    seeds: [{ article: 1, tag: 1 }],
  }),
  row('blogs/comments', {
    fields: {
      isVisible: flag(),
      name: text(),
      email: text(),
      content: text(),
      article: one('blogs/articles'),
    },
    required: ['content'],
    filters: ['article', 'isVisible'],
    seeds: [{ name: 'A reader', content: 'Beautiful', article: 1, isVisible: true }],
  }),
  row('blogs/tags', {
    fields: { title: text(), url: text(), sortOrder: whole(1) },
    required: ['title'],
    filters: ['url'],
    seeds: [{ title: 'pottery', url: 'pottery' }],
  }),
]
