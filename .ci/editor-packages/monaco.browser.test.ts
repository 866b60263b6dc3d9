// The real Monaco in a real page: typing, undo and redo in the editor, an agent's edits and saves, in random order. After each step the
// editor and the buffer have one text, and the cursor is where its text went.

import * as monaco from 'monaco-editor/editor/editor.api.js'
// oxlint-disable-next-line import/default -- Vite makes it a class; the rule sees the file itself once the packages are installed
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker'
import { expect, test } from 'vitest'
import { memory } from '../../src/backends/memory/index.ts'
import { bindBuffer } from '../../src/editors/monaco/index.ts'
import { seeds } from '../../src/testing/depth.ts'
import { cursorsAfter } from '../../src/testing/editor-cursors.ts'
import { forSeeds, type Random } from '../../src/testing/random.ts'
import { createFakeWorker } from '../../src/testing/wire/pair.ts'
import { buildWorkspace } from '../../src/worker/build-workspace.ts'
import { connectWorkerLike } from '../../src/worker/client.ts'
import { createWorkspace } from '../../src/workspace/create-workspace.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'

globalThis.MonacoEnvironment = { getWorker: () => new EditorWorker() }

const start = 'one\r\ntwo\r\nthree\r\n'
const places: Readonly<Record<string, () => Promise<Workspace>>> = {
  'in this thread': () => createWorkspace({ fs: memory({ 'a.txt': start }), shell: 'none' }),
  'across a worker': () =>
    connectWorkerLike(createFakeWorker({}, buildWorkspace), { fs: memory({ 'a.txt': start }), shell: 'none' }),
}

type Editor = monaco.editor.IStandaloneCodeEditor

function modelOf(editor: Editor): monaco.editor.ITextModel {
  const model = editor.getModel()
  if (model === null) throw new Error('the editor has no model')
  return model
}

function typeIn(editor: Editor, random: Random): void {
  const model = modelOf(editor)
  const text = model.getValue()
  // No keyboard puts the cursor into the middle of a character.
  const whole = (at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at)
  const from = whole(random.below(text.length + 1))
  const to = random.chance(0.3) ? Math.max(from, whole(Math.min(text.length, from + random.below(5)))) : from
  editor.setSelection(monaco.Range.fromPositions(model.getPositionAt(from), model.getPositionAt(to)))
  const insert = random.pick(['a', 'bc', '\n', '', '😀'])
  if (insert === '') editor.trigger('keyboard', 'deleteLeft', null)
  else editor.trigger('keyboard', 'type', { text: insert })
}

const agentMarks = (text: string): number => text.split('@').length - 1

test.each(Object.entries(places))('editor, buffer and file are equal: %s', async (_place, make) => {
  const workspace = await make()
  const tools = await workspace.toolset('atomic')
  const buffer = await workspace.buffers.open('a.txt')
  const place = document.body.appendChild(document.createElement('div'))
  Object.assign(place.style, { width: '40rem', height: '20rem' })
  const editor = monaco.editor.create(place, { value: 'not yet the text', language: 'plaintext', autoClosingBrackets: 'never' })
  const binding = bindBuffer(buffer, modelOf(editor))
  expect(modelOf(editor).getValue()).toBe('one\ntwo\nthree\n')
  let cursor = { first: 0, last: 0 }
  const offsetNow = (): number => modelOf(editor).getOffsetAt(editor.getPosition() ?? new monaco.Position(1, 1))
  buffer.on('edit', ({ edits }) => {
    cursor = cursorsAfter(cursor, edits)
  })
  let agentEdits = 0
  await forSeeds(seeds({ quick: 20, deep: 5_000 }), async random => {
    for (let step = random.below(6); step >= 0; step--) {
      const act = random.below(10)
      if (act < 5) typeIn(editor, random)
      else if (act === 5) {
        const before = agentMarks(buffer.text)
        editor.trigger('keyboard', 'undo', null)
        // An undo takes back nothing that an agent wrote. It may bring back what was removed here.
        expect(agentMarks(buffer.text)).toBeGreaterThanOrEqual(before)
      } else if (act === 6) editor.trigger('keyboard', 'redo', null)
      else if (act === 7) await buffer.save().catch(() => undefined)
      else {
        const lines = buffer.text.split('\n')
        lines.splice(random.below(lines.length), random.below(2), `@agent ${++agentEdits}`)
        await tools.call('write', { path: 'a.txt', content: lines.join('\n') })
      }
      expect(modelOf(editor).getValue()).toBe(buffer.text)
      if (modelOf(editor).getValueLength() > 2_000) modelOf(editor).setValue('short\n')
    }
    // What an agent does while nobody types moves the cursor with its text.
    const length = modelOf(editor).getValueLength()
    editor.setPosition(modelOf(editor).getPositionAt(random.below(length + 1)))
    cursor = { first: offsetNow(), last: offsetNow() }
    await tools.call('write', { path: 'a.txt', content: `@agent ${++agentEdits}\n${buffer.text}` })
    expect(modelOf(editor).getValue()).toBe(buffer.text)
    expect(offsetNow()).toBeGreaterThanOrEqual(cursor.first)
    expect(offsetNow()).toBeLessThanOrEqual(cursor.last)
    if (random.chance(0.2)) {
      await expect
        .poll(() =>
          buffer.save().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      expect(modelOf(editor).getValue()).toBe(buffer.text)
      expect((await workspace.fs.readText('/workspace/a.txt')).replaceAll('\r\n', '\n')).toBe(buffer.text)
    }
  })
  binding.dispose()
  editor.dispose()
  await workspace.dispose()
})

test("undo takes back what was typed here, moves the cursor there, and leaves an agent's edit", async () => {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\ntwo\n' }), shell: 'none' })
  const tools = await workspace.toolset('ah')
  const buffer = await workspace.buffers.open('a.txt')
  const place = document.body.appendChild(document.createElement('div'))
  const editor = monaco.editor.create(place, { value: buffer.text, language: 'plaintext' })
  const binding = bindBuffer(buffer, modelOf(editor), { editors: () => monaco.editor.getEditors() })
  const type = (text: string): void => {
    editor.setPosition({ lineNumber: 1, column: 4 })
    for (const each of text) editor.trigger('keyboard', 'type', { text: each })
  }
  type('AA')
  await tools.call('read', { path: 'a.txt' })
  await tools.call('edit', { path: 'a.txt', old_string: 'two', new_string: 'three' })
  await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'zero\none' })
  editor.setPosition({ lineNumber: 2, column: 4 })
  editor.trigger('keyboard', 'type', { text: 'B' })
  editor.focus()
  await expect.poll(() => editor.hasTextFocus()).toBe(true)
  const seen: string[] = []
  for (const command of ['undo', 'undo', 'undo', 'redo', 'redo', 'redo']) {
    editor.setPosition({ lineNumber: 4, column: 1 })
    editor.trigger('keyboard', command, null)
    expect(buffer.text).toBe(modelOf(editor).getValue())
    const { lineNumber = 0, column = 0 } = editor.getPosition() ?? {}
    seen.push(`${buffer.text.split('\n')[1]} ${lineNumber}:${column}`)
  }
  expect(seen).toEqual(['oneAA 2:4', 'one 2:4', 'one 4:1', 'oneAA 4:1', 'oneBAA 4:1', 'oneBAA 4:1'])
  expect(buffer.text).toBe('zero\noneBAA\nthree\n')
  modelOf(editor).setEOL(monaco.editor.EndOfLineSequence.CRLF)
  editor.trigger('keyboard', 'undo', null)
  expect([modelOf(editor).getValue(), buffer.text]).toEqual(Array(2).fill('zero\noneAA\nthree\n'))
  // Monaco's steps fit the text when it is bound no more.
  binding.dispose()
  while (modelOf(editor).canUndo()) await modelOf(editor).undo()
  expect(modelOf(editor).getValue()).toBe('one\ntwo\n')
  editor.dispose()
  await workspace.dispose()
})

test('an indentation that Monaco made stays when an agent edits', async () => {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': '  one\ntwo\n' }), shell: 'none' })
  const tools = await workspace.toolset('ah')
  const buffer = await workspace.buffers.open('a.txt')
  const place = document.body.appendChild(document.createElement('div'))
  const editor = monaco.editor.create(place, { value: buffer.text, language: 'plaintext' })
  const binding = bindBuffer(buffer, modelOf(editor))
  editor.setPosition({ lineNumber: 1, column: 6 })
  editor.trigger('keyboard', 'type', { text: '\n' })
  await tools.call('read', { path: 'a.txt' })
  await tools.call('edit', { path: 'a.txt', old_string: 'two', new_string: 'three' })
  expect([modelOf(editor).getValue(), buffer.text]).toEqual(Array(2).fill('  one\n  \nthree\n'))
  expect(editor.getPosition()).toMatchObject({ lineNumber: 2, column: 3 })
  binding.dispose()
  editor.dispose()
  await workspace.dispose()
})
