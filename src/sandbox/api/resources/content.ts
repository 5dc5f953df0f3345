import { below, flag, language, link, naming, ones, text, texts, upload, whole } from './fields.ts'
import { joining, type ResourceRow, row, single } from './row.ts'

/** Pages and blogs. */
export const contentRows: readonly ResourceRow[] = [
  row('textpages', {
    fields: {
      isVisible: flag(true),
      ...texts('url', 'title', 'description', 'content'),
      language: language(),
    },
    filters: ['isVisible', 'url'],
    seeds: [{ title: 'About us', url: 'about' }],
  }),
  row('blogs', {
    fields: { isActive: flag(true), ...texts('url', 'title'), ...naming('blog', 'blogs/articles') },
    filters: ['isActive', 'url'],
    seeds: [{ title: 'News', url: 'news' }],
  }),
  row('blogs/articles', {
    fields: {
      isVisible: flag(true),
      ...texts('url', 'title', 'author', 'summary', 'content'),
      ...ones('blogs'),
      ...below('blogs/articles', 'image'),
      ...naming('article', 'blogs/articles/tags', 'blogs/comments'),
    },
    required: ['title', 'blog'],
    filters: ['blog', 'isVisible', 'url'],
    seeds: [{ title: 'A new kiln', url: 'a-new-kiln', blog: 1 }],
  }),
  single('blogs/articles/{id}/image', {
    verbs: ['read', 'create', 'delete'],
    fields: { filename: text(), src: link(), attachment: upload() },
  }),
  joining('blogs/articles/tags', ['blogs/articles', 'blogs/tags'], { seeds: [{ article: 1, tag: 1 }] }),
  row('blogs/comments', {
    fields: { isVisible: flag(), ...texts('name', 'email', 'content'), ...ones('blogs/articles') },
    required: ['content'],
    filters: ['article', 'isVisible'],
    seeds: [{ name: 'A reader', content: 'Beautiful', article: 1, isVisible: true }],
  }),
  row('blogs/tags', {
    fields: { ...texts('title', 'url'), sortOrder: whole(1) },
    filters: ['url'],
    seeds: [{ title: 'pottery', url: 'pottery' }],
  }),
]
