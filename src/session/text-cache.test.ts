import { expect, it } from 'vitest'

import { parsePath } from '../core/path.ts'
import { documentOf, normalizedText, textOf } from '../core/text.ts'
import { contentTag } from '../text/hashline/tag.ts'
import { TextCache } from './text-cache.ts'

const path = parsePath('/w/a')

it.each(['', 'a', 'a\n', 'a\r\nb\n', '\uFEFFa\n', '\uFEFF', 'a\rb', 'a  \n\n'])('prepares %j as it is done by hand', text => {
  const document = documentOf(text)
  const byHand = { text, document, normalized: normalizedText(document), tag: contentTag(normalizedText(document)) }
  expect(new TextCache().open(path, text)).toEqual(byHand)
  expect(new TextCache().prepare(path, document)).toEqual(byHand)
})

it('does the work once for the same text of the same file, and again for any other', () => {
  const cache = new TextCache()
  const first = cache.open(path, 'a\n')
  expect(cache.open(path, 'a\n')).toBe(first)
  expect(cache.open(parsePath('/w/b'), 'a\n')).not.toBe(first)
  expect(cache.open(path, 'a \n')).toMatchObject({ text: 'a \n', tag: first.tag })
  const edited = cache.prepare(path, documentOf('b\n'))
  expect(cache.open(path, textOf(edited.document))).toBe(edited)
})
