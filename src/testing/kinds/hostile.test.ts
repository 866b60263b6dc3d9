// Files of every kind that are damaged in any way: each call has an answer, and the workspace goes on.

import { expect, it } from 'vitest'

import { seeds } from '../depth.ts'
import { encodedPictures, formats } from '../images/pictures.ts'
import { mutated } from '../images/mutate.ts'
import { forSeeds } from '../random.ts'
import { openToolSession } from '../tool-session.ts'
import { everyKindOfFile } from './files.ts'

const encoder = new TextEncoder()
const pictures = formats.map(format => {
  const picture = encodedPictures.find(each => each.format === format)
  return [`p.${format === 'farbfeld' ? 'ff' : format}`, picture?.bytes ?? new Uint8Array()] as const
})
const whole = [...Object.entries(everyKindOfFile()), ...pictures].map(
  ([path, content]) => [path.replace(/^.*\//, ''), typeof content === 'string' ? encoder.encode(content) : content] as const,
)

/** What is inside of a file of this name, and a change of it. */
function callsFor(path: string): readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] {
  const read = ['read', { path }] as const
  if (/\.(?:zip|gz|xz|zst|bz2)$/.test(path)) {
    return [
      read,
      ['read', { path: `${path}:src/a.ts` }],
      ['search', { pattern: 'x', paths: path }],
      ['find', { paths: [`${path}:**`] }],
      ['write', { path: `${path}:new.txt`, content: 'new' }],
    ]
  }
  if (path.endsWith('.db')) {
    return [
      read,
      ['read', { path: `${path}?q=select * from users order by 2` }],
      ['write', { path: `${path}:users`, content: '{name: 1}' }],
    ]
  }
  return [read, ['search', { pattern: 'x', paths: path }]]
}

const count = seeds({ quick: whole.length, deep: 20_000 })

it(`${count} damaged files of ${whole.length} kinds`, async () => {
  const session = await openToolSession({})
  await forSeeds(count, async (random, seed) => {
    const [path = '', bytes = new Uint8Array()] = whole[seed % whole.length] ?? []
    await session.fs.writeFile(`/workspace/${path}`, mutated(bytes, random))
    for (const [tool, args] of callsFor(path)) {
      const { isError, details } = await session.call(tool, args)
      if (isError) expect(details['error'], `${tool} ${JSON.stringify(args)}`).toMatchObject({ code: expect.any(String) })
    }
    await session.fs.rm(`/workspace/${path}`)
  })
  await session.workspace.dispose()
})
