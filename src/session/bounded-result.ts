// The last step of every result: it limits the text that a model gets to `limits.resultMaxBytes`.

import type { ContentBlock, ToolResult } from '../core/tool.ts'
import { echoedCharacters } from '../core/shortened.ts'
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
  const whole = keep === undefined ? 'Ask for less at once.' : `The whole result: read ${keep(texts.join('\n'))}`
  const note = `[The first ${formatSize(maxBytes)} of ${formatSize(sizeBytes)}. ${whole}]`
  return [...shown.filter(block => block.type !== 'text' || block.text !== ''), { type: 'text', text: note }]
}

/** Limits the object of a result to `maxBytes`, if the result has one. */
export function boundedObject(
  { structuredContent }: Pick<ToolResult, 'structuredContent'>,
  maxBytes: number,
): Pick<ToolResult, 'structuredContent'> {
  if (structuredContent === undefined) return {}
  const bounded = boundedValue(structuredContent, maxBytes)
  return typeof bounded === 'object' && bounded !== null ? { structuredContent: { ...bounded } } : {}
}

/** Limits the text in all strings of `value` together to `maxBytes`. Text beyond the limit is left out. */
function boundedValue(value: unknown, maxBytes: number): unknown {
  let leftBytes = maxBytes
  const within = (each: unknown): unknown => {
    if (typeof each === 'string') {
      const text = startWithin(each, leftBytes)
      leftBytes -= utf8SizeBytes(text)
      return text
    }
    if (Array.isArray(each)) {
      const kept: unknown[] = []
      for (const item of each) {
        if (leftBytes <= 0) break
        kept.push(within(item))
      }
      return kept
    }
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [name, within(item)]))
  }
  return within(value)
}

/** Every run of more than 200 characters contains a block of this length that begins at a multiple of `blockStep`. */
const blockCharacters = 101
const blockStep = 100
/** The number of blocks to try in a text without a match. A longer text is shortened by the limit for results. */
const maxBlocks = 300
const maxDepth = 6

/** Shortens long parts of the arguments in `text`: an error names the problem, and repeats at most 200 characters of an argument. */
export function withoutEcho(text: string, args: unknown): string {
  let shorter = text
  for (const long of longTexts(args, 0))
    for (const form of new Set([long, JSON.stringify(long).slice(1, -1)])) shorter = withoutRunsOf(shorter, form)
  return shorter
}

/** Shortens every run of more than 200 characters in `text` that `source` contains. */
function withoutRunsOf(text: string, source: string): string {
  const parts: string[] = []
  let done = 0
  for (let at = 0, blocks = 0; at + blockCharacters <= text.length && blocks < maxBlocks; at += blockStep, blocks++) {
    if (at < done) at = Math.ceil(done / blockStep) * blockStep
    const block = text.slice(at, at + blockCharacters)
    const found = source.indexOf(block)
    if (found === -1) continue
    // In a repetitive text, the last occurrence extends farthest back, and the first one farthest forward.
    const last = source.lastIndexOf(block)
    let before = 0
    while (at - before > done && last > before && text[at - before - 1] === source[last - before - 1]) before++
    let after = blockCharacters
    while (at + after < text.length && text[at + after] === source[found + after]) after++
    const [start, end] = [at - before, at + after]
    const isContinued = done > 0 && start === done
    if (!isContinued && end - start <= echoedCharacters) continue
    if (!isContinued) {
      const kept = text.slice(start, start + echoedCharacters)
      // Half of a surrogate pair is not a valid character.
      parts.push(text.slice(done, start), kept.isWellFormed() ? kept : kept.slice(0, -1), '…')
    }
    done = end
  }
  return [...parts, text.slice(done)].join('')
}

function longTexts(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.length > echoedCharacters ? [value] : []
  if (typeof value !== 'object' || value === null || depth > maxDepth) return []
  return Object.entries(value).flatMap(([name, each]) => [...longTexts(name, depth), ...longTexts(each, depth + 1)])
}
