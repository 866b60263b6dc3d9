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

  pushStackElement(): void {}

  pushEditOperations(...[, operations]: Parameters<MonacoModel['pushEditOperations']>): null {
    const offsetOf = (lineNumber: number, column: number): number =>
      this.#text
        .split('\n')
        .slice(0, lineNumber - 1)
        .reduce((sum, line) => sum + line.length + 1, 0) +
      column -
      1
    this.replace(
      operations.map(({ range, text }) => {
        const from = offsetOf(range.startLineNumber, range.startColumn)
        return { rangeOffset: from, rangeLength: offsetOf(range.endLineNumber, range.endColumn) - from, text }
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
    for (const listener of this.#listeners) listener({ changes: last })
  }
}

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
