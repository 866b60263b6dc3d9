// A host that shows an edit while the model still writes it has only the public names and the files.

import { documentOf, previewScript } from 'anchorage'
import { expect, it } from 'vitest'

import { openToolSession, tagIn } from '../../../testing/tool-session.ts'

it.each(['a\nb\nc\nd\n', '\uFEFFa\r\nb\r\nc\r\nd'])('the last preview of %j is the result', async source => {
  const session = await openToolSession({ f: source })
  const script = `[f#${tagIn(await session.text('read', { path: 'f' }))}]\nreplace 2..3:\n+B\n+C\ninsert tail:\n+e\n`
  const previews = Array.from({ length: script.length + 1 }, (_, length) =>
    previewScript(script.slice(0, length), () => documentOf(source), { isGrowing: length < script.length }),
  )
  const { details } = await session.call('edit', { input: script })
  expect(previews.at(0)).toEqual([])
  expect(previews.at(-1)?.map(({ diff }) => [diff.rows, diff.patch])).toEqual([[details['diff'], details['patch']]])
})
