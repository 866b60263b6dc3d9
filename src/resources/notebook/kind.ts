// Notebooks: shown and edited as their cells, `:raw` shows their JSON. `n.ipynb:cell:2` is one cell.

import { ToolError } from '../../core/errors.ts'
import { formatSize } from '../../core/size.ts'
import { decodeUtf8 } from '../../core/text.ts'
import type { Resource, ResourceAddress, ResourceContext, ResourceSource } from '../kind.ts'
import { cellsOfText, textOfCells } from './cells.ts'
import { parseNotebook, withCells, type Notebook } from './notebook.ts'
import { describeOutputs } from './outputs.ts'

export const isPlainWhenRaw = true

export async function open({ text, source, inner }: ResourceAddress, context: ResourceContext): Promise<Resource | undefined> {
  if (source === undefined) return undefined
  const number = /^cell:(\d+)$/.exec(inner)?.[1]
  // Before the JSON is parsed: `:raw` shows a broken one.
  if (inner !== '' && number === undefined) return undefined
  const notebook = await load(source, context)
  if (notebook === undefined) return undefined
  if (number !== undefined) {
    const cell = notebook.cells[Number(number)]
    if (cell === undefined) return undefined
    return { kind: 'text', display: text, text: cell.source, notes: describeOutputs([cell], Number(number)) }
  }
  return {
    kind: 'projection',
    display: source.display,
    text: textOfCells(notebook.cells),
    notes: describeOutputs(notebook.cells),
    details: { cellCount: notebook.cells.length },
    restore(edited) {
      const after = withCells(notebook, cellsOfText(edited, notebook.cells, source.display))
      const shown = parseNotebook(after)
      if (shown === undefined) throw new Error('a notebook was edited into something else')
      return { bytes: new TextEncoder().encode(after), text: textOfCells(shown.cells) }
    },
  }
}

/** Throws `ToolError` for invalid JSON. Other JSON is a plain file. */
async function load(source: ResourceSource, { limits }: ResourceContext): Promise<Notebook | undefined> {
  const { display, sizeBytes } = source
  if (sizeBytes > limits.textMaxBytes) {
    throw new ToolError(
      'file-too-large',
      `${display} is ${formatSize(sizeBytes)}; up to ${formatSize(limits.textMaxBytes)} can be opened.`,
      {
        nextStep: `Look at a part of it with bash: head -c 20000 '${display}'`,
        details: { path: display, sizeBytes },
      },
    )
  }
  const decoded = decodeUtf8(await source.read())
  if (decoded.kind !== 'text') return undefined
  try {
    return parseNotebook(decoded.text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ToolError('notebook-invalid', `${display} is not valid JSON: ${error.message}.`, {
      nextStep: `Read it as it is with ${display}:raw, and mend it with write.`,
      details: { path: display },
      cause: error,
    })
  }
}

/** `ENOENT`. */
export async function missing({ source, inner, text }: ResourceAddress): Promise<ToolError> {
  return new ToolError('ENOENT', `${source?.display ?? text} has no ${JSON.stringify(inner)}.`, {
    nextStep: `Read ${source?.display ?? text} for its cells; they are named cell:0, cell:1 and so on.`,
    details: { path: text },
  })
}
