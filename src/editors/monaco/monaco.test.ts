// The binding for Monaco, with a model of our own that has the functions and the numbering of Monaco's. Monaco itself is not run here.

import { expect, test } from 'vitest'
import { memory } from '../../backends/memory/index.ts'
import { forSeeds } from '../../testing/random.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { bindBuffer, type MonacoModel, type MonacoPosition } from './index.ts'

type Listener = Parameters<MonacoModel['onDidChangeContent']>[0]

class Model implements MonacoModel {
  #text: string
  readonly #listeners = new Set<Listener>()

  constructor(text: string) {
    this.#text = text
  }

  getValue(): string {
    return this.#text
  }

  setEOL(endOfLine: number): void {
    if (endOfLine === 0) this.#text = this.#text.replaceAll('\r\n', '\n')
  }

  getPositionAt(offset: number): MonacoPosition {
    const lines = this.#text.slice(0, offset).split('\n')
    return { lineNumber: lines.length, column: (lines.at(-1) ?? '').length + 1 }
  }

  getOffsetAt({ lineNumber, column }: MonacoPosition): number {
    const before = this.#text.split('\n').slice(0, lineNumber - 1)
    return before.reduce((sum, line) => sum + line.length + 1, 0) + column - 1
  }

  #options = { trimAutoWhitespace: true }

  getOptions(): { readonly trimAutoWhitespace: boolean } {
    return this.#options
  }

  updateOptions(options: { trimAutoWhitespace: boolean }): void {
    this.#options = options
  }

  pushStackElement(): void {}
  popStackElement(): void {}
  undo(): void {}
  redo(): void {}
  canUndo(): boolean {
    return false
  }
  canRedo(): boolean {
    return false
  }

  pushEditOperations(...[, operations]: Parameters<MonacoModel['pushEditOperations']>): null {
    // As Monaco does with an indentation that it made itself.
    const spaces = /^ +$/m.exec(this.#text)
    if (this.#options.trimAutoWhitespace && spaces !== null)
      this.#text = this.#text.slice(0, spaces.index) + this.#text.slice(spaces.index + spaces[0].length)
    this.replace(
      operations.map(({ range, text }) => {
        const from = this.getOffsetAt({ lineNumber: range.startLineNumber, column: range.startColumn })
        const to = this.getOffsetAt({ lineNumber: range.endLineNumber, column: range.endColumn })
        return { rangeOffset: from, rangeLength: to - from, text }
      }),
    )
    return null
  }

  onDidChangeContent(listener: Listener): { dispose(): void } {
    this.#listeners.add(listener)
    return { dispose: () => this.#listeners.delete(listener) }
  }

  /** Monaco reports the last change of a text first. */
  replace(changes: { rangeOffset: number; rangeLength: number; text: string }[]): void {
    const last = changes.toSorted((a, b) => b.rangeOffset - a.rangeOffset)
    for (const { rangeOffset, rangeLength, text } of last)
      this.#text = this.#text.slice(0, rangeOffset) + text + this.#text.slice(rangeOffset + rangeLength)
    for (const listener of this.#listeners) listener({ changes: last, isFlush: false, isEolChange: false })
  }
}

test("a change by someone else leaves the editor's own indentation where the cursor is", async () => {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\n' }), shell: 'none' })
  const tools = await workspace.toolset('ah')
  const buffer = await workspace.buffers.open('a.txt')
  const model = new Model(buffer.text)
  const binding = bindBuffer(buffer, model)
  model.replace([{ rangeOffset: 4, rangeLength: 0, text: '  ' }])
  await tools.call('read', { path: 'a.txt' })
  await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' })
  expect([model.getValue(), buffer.text]).toEqual(['two\n  ', 'two\n  '])
  expect(model.getOptions()).toEqual({ trimAutoWhitespace: true })
  binding.dispose()
  await workspace.dispose()
})

test('a model and its buffer stay equal', async () => {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\r\ntwo\r\nthree' }), shell: 'none' })
  const tools = await workspace.toolset('ah')
  const buffer = await workspace.buffers.open('a.txt')
  const model = new Model('something else\r\n')
  const binding = bindBuffer(buffer, model)
  expect(model.getValue()).toBe('one\ntwo\nthree')
  await forSeeds(20, async random => {
    const length = model.getValue().length
    const at = random.below(length + 1)
    const changes = [{ rangeOffset: 0, rangeLength: Math.min(1, at), text: 'x' }]
    if (at > 1)
      changes.push({ rangeOffset: at, rangeLength: random.below(length - at + 1), text: random.pick(['', 'é\n', 'typed']) })
    model.replace(changes)
    expect(buffer.text).toBe(model.getValue())
    await tools.call('read', { path: 'a.txt' })
    await tools.call('write', { path: 'a.txt', content: `${random.pick(['agent\n', ''])}${model.getValue()}!` })
    expect(model.getValue()).toBe(buffer.text)
  })
  binding.dispose()
  model.replace([{ rangeOffset: 0, rangeLength: 0, text: 'unbound' }])
  expect(buffer.text).not.toContain('unbound')
  await workspace.dispose()
})

test("undo takes back what was typed here, and leaves an agent's edit", async () => {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\ntwo\n' }), shell: 'none' })
  const tools = await workspace.toolset('ah')
  const buffer = await workspace.buffers.open('a.txt')
  const model = new Model(buffer.text)
  const binding = bindBuffer(buffer, model)
  model.replace([{ rangeOffset: 4, rangeLength: 3, text: 'typed' }])
  await tools.call('read', { path: 'a.txt' })
  await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'the first' })
  const seen: string[] = []
  for (const act of ['undo', 'undo', 'redo', 'redo'] as const) {
    model[act]()
    expect(model.getValue()).toBe(buffer.text)
    seen.push(`${buffer.text}|${model.canUndo()}|${model.canRedo()}`)
  }
  const [without, typed] = ['the first\ntwo\n|false|true', 'the first\ntyped\n|true|false']
  expect(seen).toEqual([without, without, typed, typed])
  binding.dispose()
  expect(model.canUndo()).toBe(false)
  await workspace.dispose()
})
