// A real CodeMirror in a real page: typing, undo and redo in the editor, an agent's edits and saves, in random order.

import { history, redo, undo } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { memory } from '../../backends/memory/index.ts'
import type { Buffer } from '../../buffers/buffer.ts'
import { seeds } from '../../testing/depth.ts'
import { cursorsAfter } from '../../testing/editor-cursors.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { createFakeWorker } from '../../testing/wire/pair.ts'
import { buildWorkspace } from '../../worker/build-workspace.ts'
import { connectWorkerLike } from '../../worker/client.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { bufferEditOf, bufferExtension } from './index.ts'

const start = 'one\r\ntwo\r\nthree\r\n'
const places: Readonly<Record<string, () => Promise<Workspace>>> = {
  'in this thread': () => createWorkspace({ fs: memory({ 'a.txt': start }), shell: 'none' }),
  'across a worker': () =>
    connectWorkerLike(createFakeWorker({}, buildWorkspace), { fs: memory({ 'a.txt': start }), shell: 'none' }),
}

function typeIn(view: EditorView, random: Random): void {
  const { length } = view.state.doc
  // No keyboard puts the cursor into the middle of a character.
  const whole = (at: number): number => (/[\uDC00-\uDFFF]/.test(view.state.sliceDoc(at, at + 1)) ? at - 1 : at)
  const from = whole(random.below(length + 1))
  const to = random.chance(0.3) ? Math.max(from, whole(Math.min(length, from + random.below(5)))) : from
  const insert = random.pick(['a', 'bc', '\n', '', '😀'])
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: 'input.type' })
}

test.each(Object.entries(places))('editor, buffer and file are equal: %s', async (_place, make) => {
  const workspace = await make()
  const tools = await workspace.toolset('atomic')
  const buffer = await workspace.buffers.open('a.txt')
  const view = new EditorView({ doc: buffer.text, extensions: [history(), bufferExtension(buffer)], parent: document.body })
  let agentEdits = 0
  await forSeeds(seeds({ quick: 20, deep: 5_000 }), async random => {
    for (let step = random.below(6); step >= 0; step--) {
      const act = random.below(10)
      if (act < 5) typeIn(view, random)
      else if (act === 5) undo(view)
      else if (act === 6) redo(view)
      else if (act === 7) await buffer.save().catch(() => undefined)
      else {
        const result = await tools.call('write', { path: 'a.txt', content: `${buffer.text}\nagent ${++agentEdits}` })
        if (result.isError) agentEdits--
      }
      // The text of a long run stays short.
      if (view.state.doc.length > 2_000) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: 'short\n' } })
    }
    expect(view.state.doc.toString()).toBe(buffer.text)
    // What an agent does while nobody types moves the cursor with its text.
    const before = random.below(view.state.doc.length + 1)
    view.dispatch({ selection: { anchor: before } })
    let cursor = { first: before, last: before }
    const stop = buffer.on('edit', ({ edits }) => {
      cursor = cursorsAfter(cursor, edits)
    })
    await tools.call('write', { path: 'a.txt', content: `agent ${++agentEdits}\n${buffer.text}` })
    stop()
    expect(view.state.selection.main.head).toBeGreaterThanOrEqual(cursor.first)
    expect(view.state.selection.main.head).toBeLessThanOrEqual(cursor.last)
    expect(view.state.doc.toString()).toBe(buffer.text)
    if (random.chance(0.2)) {
      // Once everything has arrived, all ends are equal.
      await savedAtLast(buffer)
      expect(view.state.doc.toString()).toBe(buffer.text)
      expect((await workspace.fs.readText('/workspace/a.txt')).replaceAll('\r\n', '\n')).toBe(buffer.text)
    }
  })
  view.destroy()
  await workspace.dispose()
})

/** A save may be overtaken, but not for ever. */
async function savedAtLast(buffer: Buffer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await buffer.save()
    } catch (error) {
      if (attempt === 20) throw error
      await new Promise<void>(resolve => void setTimeout(resolve, attempt))
    }
  }
}

test("the cursor, the selection and the editor's own undo stay with their text", async () => {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': start }), shell: 'none' })
  const tools = await workspace.toolset('ah')
  const buffer = await workspace.buffers.open('a.txt')
  const heard: unknown[] = []
  const view = new EditorView({
    doc: 'not yet the text',
    extensions: [
      history(),
      bufferExtension(buffer),
      EditorView.updateListener.of(({ transactions }) =>
        heard.push(...transactions.map(each => bufferEditOf(each)?.by?.actor.kind)),
      ),
    ],
    parent: document.body,
  })
  await Promise.resolve()
  expect(view.state.doc.toString()).toBe('one\ntwo\nthree\n')
  view.dispatch({ changes: { from: 13, insert: ' typed' }, selection: { anchor: 8, head: 13 }, userEvent: 'input.type' })
  await tools.call('read', { path: 'a.txt' })
  await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'the first' })
  expect(view.state.doc.toString()).toBe('the first\ntwo\nthree typed\n')
  expect(view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to)).toBe('three')
  expect(heard.at(-1)).toBe('agent')
  undo(view)
  expect([view.state.doc.toString(), buffer.text]).toEqual(['the first\ntwo\nthree\n', 'the first\ntwo\nthree\n'])
  redo(view)
  await buffer.save()
  expect(await workspace.fs.readText('/workspace/a.txt')).toBe('the first\r\ntwo\r\nthree typed\r\n')
  await buffer.close()
  view.dispatch({ changes: { from: 0, insert: 'x' } })
  expect(view.state.doc.toString()).toBe(buffer.text)
  expect(EditorState.create({ doc: buffer.text }).doc.lines).toBe(4)
  view.destroy()
  await workspace.dispose()
})
