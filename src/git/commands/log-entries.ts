// The layout of a log: what separates its entries, a message from its differences, and both from the lines of a graph.

import { decodeText } from '../../shell/byte-text.ts'
import type { CallOutput } from '../call.ts'
import type { Graph } from '../revs/graph.ts'
import type { ShownCommit } from '../revs/pretty.ts'
import type { PrettyForm } from '../revs/pretty-form.ts'

interface EntryDiff {
  /** Their text, beside this number of columns. */
  readonly bytes: (prefixColumns: number) => Promise<Uint8Array>
  /** Whether the line `gap` separates them from the message. */
  readonly hasGap: boolean
  readonly gap: '' | '---'
  /** Ends that line. */
  readonly gapEnd: string
  /** As in git, lists of the names that a merge changed are not indented to the graph. */
  readonly isBare?: boolean
}

export class LogEntries {
  readonly #out: CallOutput
  readonly #form: PrettyForm
  readonly #graph: Graph | undefined
  readonly #lineEnd: string
  #isFirst = true
  /** The last message beside a graph already ended with a line feed. */
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

  /** Places a commit in the graph, also one that is not shown. */
  place({ oid, graphParents, parents }: ShownCommit, mark: string): void {
    this.#graph?.update({ oid, parents: graphParents ?? parents, mark: mark === '' ? '*' : mark === '-' ? 'o' : mark })
  }

  /** Beside a graph, its lines end with the message: differences have only its padding before them. */
  async write(text: string, { bytes, hasGap, gap, gapEnd, isBare }: EntryDiff): Promise<void> {
    const out = this.#out
    const { kind, format, isTerminated } = this.#form
    const end = this.#lineEnd
    const isLine = kind === 'oneline' || kind === 'reference' || isTerminated
    const isSilent = kind === 'format' && format === ''
    const padding = (): string => this.#graph?.padding() ?? ''
    if (!this.#isFirst && !isLine) await out.write(`${end === '\n' && this.#endsLine ? padding() : ''}${end}`)
    this.#isFirst = false
    if (this.#graph !== undefined) await out.write(linesToCommit(this.#graph))
    const message = isLine || kind === 'format' ? text : `${text}\n`
    this.#endsLine = message.endsWith('\n')
    if (!isSilent || this.#graph !== undefined)
      await out.write(this.#graph === undefined ? message : besideGraph(this.#graph, message))
    if (isLine && !isSilent) await out.write(`${this.#endsLine ? padding() : ''}${end}`)
    if (hasGap && !isSilent) await out.write(`${padding()}${gap}${gapEnd}`)
    if (this.#graph === undefined || isBare === true) await out.write(await bytes(0))
    else
      for (const line of decodeText(await bytes(padding().length)).split(/(?<=\n)/))
        if (line !== '') await out.write(`${padding()}${line}`)
  }
}

function linesToCommit(graph: Graph): string {
  if (graph.isFinished) return graph.padding()
  let text = ''
  while (!graph.isFinished) {
    const { line, isCommit } = graph.next()
    if (isCommit) return text + line
    text += `${line}\n`
  }
  return text
}

/** A message, and what is left of the commit's lines in the graph. */
function besideGraph(graph: Graph, message: string): string {
  let text = message.replaceAll(/\n(?=[^])/g, () => `\n${graph.next().line}`)
  if (graph.isFinished) return text
  const rest: string[] = []
  while (!graph.isFinished) rest.push(graph.next().line)
  const endsLine = message.endsWith('\n')
  text += `${endsLine ? '' : '\n'}${rest.join('\n')}${endsLine ? '\n' : ''}`
  return text
}
