// A write of a whole file over a version that its author has not seen: the result says so, or a host has it refused. A new text with a line
// that represents omitted lines is refused everywhere.

import { describe, expect, it } from 'vitest'

import type { Approve } from '../session/policy/approve.ts'
import { toolsets, type ToolsetName } from '../workspace/toolsets.ts'
import { editForms, makeEdits } from './edit-forms.ts'
import { sourceText } from './line-mutations.ts'
import { createRandom } from './random.ts'
import { openToolSession, textOf } from './tool-session.ts'

const calls: Readonly<
  Record<ToolsetName, { read: readonly [string, object]; write: (content: string) => readonly [string, object] }>
> = {
  atomic: { read: ['read', { path: 'f' }], write: content => ['write', { path: 'f', content }] },
  ah: { read: ['read', { path: 'f' }], write: content => ['write', { path: 'f', content }] },
  rye: { read: ['read', { file_path: 'f' }], write: content => ['write', { file_path: 'f', content }] },
  agsh: { read: ['read_file', { path: 'f' }], write: content => ['write_file', { path: 'f', content }] },
  ecs: { read: ['read_file', { path: 'f' }], write: content => ['write_file', { path: 'f', content }] },
}

describe.each(toolsets)('$name', ({ name }) => {
  const { read, write } = calls[name]
  const changed = 'one\ntwo\ntheirs\n'

  it('says that a version was replaced which the model did not see', async () => {
    const session = await openToolSession({ f: 'one\ntwo\n' }, { name })
    await session.text(...read)
    await session.fs.writeFile('/workspace/f', changed)
    expect(await session.text(...write('mine\n'))).toContain(
      'f changed since you last saw it, and this write replaced that version too: -3 +1 lines.',
    )
    expect(await session.text(...write('mine again\n'))).not.toContain('changed since')
  })

  it.each([
    ['binary', new Uint8Array([0, 159, 146, 150]), true],
    ['in another encoding', new Uint8Array([65, 0xe9]), true],
    ['empty', new Uint8Array(), false],
  ])('says that what it replaced was %s', async (_what, bytes, isSaid) => {
    const session = await openToolSession({ f: bytes }, { name })
    const text = await session.text(...write('mine\n'))
    expect(text.includes(`f could not be shown as text (${bytes.length}B). This write replaced all of it.`)).toBe(isSaid)
    expect(await session.text(...write('again\n'))).not.toContain('no text')
  })

  it('refuses it where the host asks for that', async () => {
    const session = await openToolSession({ f: 'one\ntwo\n' }, { name, toolset: { overwrite: 'refuse' } })
    await session.text(...read)
    await session.fs.writeFile('/workspace/f', changed)
    for (let time = 0; time < 2; time++) expect((await session.failure(...write('mine\n'))).code).toBe('file-changed')
    expect(await session.file('f')).toBe(changed)
    await session.text(...read)
    await session.text(...write('mine\n'))
    expect(await session.file('f')).toBe('mine\n')
  })

  it('has it reviewed where a person is asked, also once they have allowed the tool', async () => {
    const asked: unknown[] = []
    const approve: Approve = async ({ effect }) => {
      if (effect.kind === 'write') asked.push(...effect.changes.map(({ unseen }) => unseen))
      return { allow: 'session' }
    }
    const session = await openToolSession({ f: 'one\ntwo\n' }, { name, policy: { level: 'ask', approve } })
    await session.text(...read)
    await session.text(...write('mine\n'))
    await session.text(...write('mine again\n'))
    expect(asked).toEqual([undefined])
    await session.fs.writeFile('/workspace/f', changed)
    await session.text(...write('mine\n'))
    expect(asked).toEqual([undefined, { removed: 3, added: 1 }])
  })

  it('refuses a text that leaves lines out', async () => {
    const session = await openToolSession({ f: 'one\ntwo\n' }, { name })
    await session.text(...read)
    const failure = await session.failure(...write('one\n// ... existing code ...\nlast\n'))
    expect(failure.code).toBe('elided-text')
    expect(textOf(await session.call(...read))).toContain('two')
    expect(await session.file('f')).toBe('one\ntwo\n')
  })
})

it.each(editForms)('$toolset: an own edit is no change by others', async ({ toolset, prepare }) => {
  const session = await openToolSession({}, { name: toolset })
  const source = { bom: '', lines: ['one', 'two', 'three', 'four'], ending: '\n', isEnded: true }
  await session.fs.writeFile('/workspace/f', sourceText(source))
  const mutation = { kind: 'replace', start: 1, end: 2, rows: ['TWO'] } as const
  const edit = await prepare(session, 'f', source, [mutation], createRandom(1))
  expect((await makeEdits(session, edit))?.isError).toBe(false)
  expect(await session.text(...calls[toolset].write('mine\n'))).not.toContain('changed since')
})
