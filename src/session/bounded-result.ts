// The last step of every result: whatever a tool made of outside data, a model gets at most `limits.resultMaxBytes` of text.

import type { ContentBlock } from '../core/tool.ts'
import { formatSize, utf8SizeBytes } from '../core/size.ts'
import { startWithin } from '../core/truncate.ts'

/** `keep` stores the whole text where it can be read, and returns its address. */
export function boundedContent(
  content: readonly ContentBlock[],
  maxBytes: number,
  keep: ((text: string) => string) | undefined,
): readonly ContentBlock[] {
  const texts = content.flatMap(block => (block.type === 'text' ? [block.text] : []))
  const sizeBytes = texts.reduce((sum, text) => sum + utf8SizeBytes(text), 0)
  if (sizeBytes <= maxBytes) return content
  let leftBytes = maxBytes
  const shown = content.map((block): ContentBlock => {
    if (block.type !== 'text') return block
    const text = startWithin(block.text, leftBytes)
    leftBytes -= utf8SizeBytes(text)
    return { type: 'text', text }
  })
  const whole = keep === undefined ? 'Ask for less at once.' : `The whole: read ${keep(texts.join('\n'))}`
  const note = `[The first ${formatSize(maxBytes)} of ${formatSize(sizeBytes)}. ${whole}]`
  return [...shown.filter(block => block.type !== 'text' || block.text !== ''), { type: 'text', text: note }]
}

const echoedCharacters = 200
const maxDepth = 6

/** `text` without the long texts from the arguments: an error names the argument, and does not repeat more of it. */
export function withoutEcho(text: string, args: unknown): string {
  let shorter = text
  for (const long of longTexts(args, 0)) {
    const trimmed = long.trim()
    for (const form of [long, trimmed, JSON.stringify(long).slice(1, -1), JSON.stringify(trimmed).slice(1, -1)]) {
      if (form.length <= echoedCharacters) continue
      if (shorter.includes(form)) shorter = shorter.replaceAll(form, `${startWithin(form, echoedCharacters)}…`)
    }
  }
  return shorter
}

function longTexts(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.length > echoedCharacters ? [value] : []
  if (typeof value !== 'object' || value === null || depth > maxDepth) return []
  return Object.values(value).flatMap(each => longTexts(each, depth + 1))
}
