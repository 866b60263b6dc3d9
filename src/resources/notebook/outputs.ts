// A short description of the outputs of cells: enough to see whether one failed. `:raw` shows all of them.

import { isRecord } from '../../core/record.ts'

const maxCells = 20
const maxCharacters = 200

/** A line for each cell that has outputs. */
export function describeOutputs(cells: readonly { readonly outputs: readonly unknown[] }[], firstIndex = 0): readonly string[] {
  const lines = cells.flatMap(({ outputs }, index) => {
    const texts = outputs.map(describe).filter(text => text !== '')
    return texts.length === 0 ? [] : [`cell:${firstIndex + index} ${shortened(texts.join(' | '))}`]
  })
  if (lines.length === 0) return []
  const more = lines.length > maxCells ? `\n${lines.length - maxCells} more cells have outputs` : ''
  return [`Outputs, shortened and not editable; :raw has the whole file.\n${lines.slice(0, maxCells).join('\n')}${more}`]
}

function describe(output: unknown): string {
  if (!isRecord(output)) return ''
  if (output['output_type'] === 'error') return `error ${String(output['ename'])}: ${String(output['evalue'])}`
  if ('text' in output) return joined(output['text'])
  const data = isRecord(output['data']) ? output['data'] : {}
  return 'text/plain' in data ? joined(data['text/plain']) : Object.keys(data).join(', ')
}

function joined(text: unknown): string {
  return (Array.isArray(text) ? text.map(String).join('') : String(text)).trim()
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ⏎ ')
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}… (${text.length} characters)` : line
}
