// The layout of a log: what separates its entries, a message from its differences, and both from the lines of a graph.

import { decodeText } from '../../shell/byte-text.ts'
import type { CallOutput } from '../call.ts'
import type { Graph } from '../revs/graph.ts'
import type { ShownCommit } from '../revs/pretty.ts'
import type { PrettyForm } from '../revs/pretty-form.ts'

/** The differences of an entry. */
interface EntryDiff {
  readonly bytes: Uint8Array
  /** Differences are asked for, though this entry may have none. */
  readonly isShown: boolean
  readonly isCombined: boolean
  /** A merge that is compared with all of its parents. */
  readonly isMergeOfAll: boolean
  readonly startsWithDashes: boolean
}

export class LogEntries {
  readonly #out: CallOutput
  readonly #form: PrettyForm
  readonly #graph: Graph | undefined
  readonly #lineEnd: string
  #isFirst = true
  /** The last entry of a graph ended with a line feed of its own. */
  #endsLine = true

  constructor(out: CallOutput, form: PrettyForm, graph: Graph | undefined, lineEnd: string) {
    this.#out = out
    this.#form = form
    this.#graph = graph
    this.#lineEnd = lineEnd
  }

  /** Separates a tree or a tag from the entry before it. */
  async startObject(): Promise<void> {
    if (!this.#isFirst) await this.#out.write('\n')
    this.#isFirst = false
  }

  async write(shown: ShownCommit, text: string, mark: string, diff: EntryDiff): Promise<void> {
    if (this.#graph !== undefined) {
      await this.#writeBeside(this.#graph, shown, text, diff.bytes, mark)
      return
    }
    const { bytes, isShown, isCombined, isMergeOfAll, startsWithDashes } = diff
    const out = this.#out
    const { kind, format, isTerminated } = this.#form
    const isOneLine = kind === 'oneline' || kind === 'reference'
    const isSeparated = !isOneLine && !isTerminated
    const end = this.#lineEnd
    if (isSeparated && !this.#isFirst) await out.write(end)
    this.#isFirst = false
    const isSilent = kind === 'format' && format === ''
    const isLine = isOneLine || (kind === 'format' && isTerminated)
    if (!isSilent) await out.write(kind === 'format' ? text : isLine ? text : `${text}\n`)
    if (!isSilent && isLine) await out.write(end)
    if (bytes.length === 0) {
      if (isShown && isMergeOfAll && !isSilent) await out.write('\n')
      return
    }
    if (!isSilent && kind === 'format' && !isTerminated) await out.write('\n')
    const needsGap = !isSilent && (!isOneLine || isCombined) && (kind !== 'format' || isTerminated)
    if (needsGap) await out.write(startsWithDashes && !isMergeOfAll ? '---\n' : '\n')
    await out.write(bytes)
  }

  /** Beside the lines of a graph. */
  async #writeBeside(graph: Graph, shown: ShownCommit, text: string, diffBytes: Uint8Array, mark: string): Promise<void> {
    const out = this.#out
    const { kind, isTerminated } = this.#form
    const isOneLine = kind === 'oneline' || kind === 'reference' || (kind === 'format' && isTerminated)
    const parents = shown.graphParents ?? shown.parents
    graph.update({ oid: shown.oid, parents, mark: mark === '' ? '*' : mark === '-' ? 'o' : mark })
    const isFormat = kind === 'format'
    if (!this.#isFirst && !isOneLine && this.#endsLine) await out.write(`${graph.padding()}\n`)
    this.#endsLine = !isFormat || text.endsWith('\n') || diffBytes.length > 0
    this.#isFirst = false
    let lines = (kind === 'format' ? text : text.replace(/\n$/, '')).split('\n')
    for (;;) {
      const next = graph.next()
      if (next.isCommit) {
        await out.write(`${next.line}${lines[0] ?? ''}\n`)
        break
      }
      await out.write(`${next.line}\n`)
    }
    lines = lines.slice(1)
    // The lines of a merge come before the blank line at the end of its text.
    const endsBlank = isFormat && lines.at(-1) === ''
    if (endsBlank) lines.pop()
    for (const line of lines) await out.write(`${graph.next().line}${line}\n`)
    if (endsBlank) {
      while (!graph.isFinished) await out.write(`${graph.next().line}\n`)
      if (isOneLine) await out.write(`${graph.padding()}\n`)
    }
    if (diffBytes.length > 0) {
      const body = decodeText(diffBytes).replace(/\n$/, '').split('\n')
      if (!isOneLine) await out.write(`${graph.next().line}\n`)
      for (const line of body) await out.write(`${graph.next().line}${line}\n`)
    }
    while (!graph.isFinished) await out.write(`${graph.next().line}\n`)
  }
}
