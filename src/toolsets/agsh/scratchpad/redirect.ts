// Decides where a result goes: to the model, or to the scratchpad on request or because it is too long. Errors are thrown past this module,
// so the model always sees them.

import { ToolError } from '../../../core/errors.ts'
import type { Limits } from '../../../core/limits.ts'
import { formatSize, utf8SizeBytes } from '../../../core/size.ts'
import { isHighSurrogate, isLowSurrogate } from '../../../core/surrogates.ts'
import { startWithin } from '../../../core/truncate.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import { checkName, type Scratchpad, type ScratchpadEntry } from './store.ts'

/** A longer text is not shown whole. */
export const shownMaxBytes = 30_000
const previewCharacters = 2000

/**
 * Throws `ToolError` before `run` if the name cannot be used, so that no work is done whose result would be lost. An empty name counts as
 * absent. `scratchpad` is `undefined` if the host switched it off; results are then shown whole.
 */
export async function redirected(
  scratchpad: Scratchpad | undefined,
  { resultMaxBytes }: Limits,
  toolName: string,
  name: string | undefined,
  run: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  if (scratchpad === undefined) return run()
  const isNamed = name !== undefined && name !== ''
  if (isNamed) checkName(name)
  const outcome = await run()
  if (isNamed) return saved(scratchpad, name, outcome)
  return {
    ...outcome,
    content: outcome.content.map(block =>
      block.type === 'text' ? shortened(scratchpad, resultMaxBytes, toolName, block.text) : block,
    ),
  }
}

function saved(scratchpad: Scratchpad, name: string, outcome: ToolOutcome): ToolOutcome {
  const texts = outcome.content.flatMap(block => (block.type === 'text' ? [block.text] : []))
  if (texts.length < outcome.content.length) {
    throw new ToolError('scratchpad-image', 'The scratchpad holds text only, not images.', {
      nextStep: 'Call it again without "scratchpad" to see the image.',
    })
  }
  const text = texts.join('\n')
  const entry = storedOrNote(() => scratchpad.set(name, text))
  if (typeof entry === 'string') return { ...outcome, content: [...outcome.content, ...textContent(entry)] }
  return {
    content: textContent(
      `Output saved to scratchpad "${name}" (${entry.text.length} characters). Use scratchpad_read to access it.`,
    ),
    details: { ...outcome.details, scratchpad: { name, sizeBytes: entry.sizeBytes } },
  }
}

/** The call itself succeeded, so a full scratchpad must not make it fail. */
function storedOrNote(store: () => ScratchpadEntry): ScratchpadEntry | string {
  try {
    return store()
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'scratchpad-full') throw error
    return `Note: the output was not saved. ${error.message} ${error.nextStep ?? ''}`.trimEnd()
  }
}

function shortened(
  scratchpad: Scratchpad,
  resultMaxBytes: number,
  toolName: string,
  text: string,
): ToolOutcome['content'][number] {
  const sizeBytes = utf8SizeBytes(text)
  if (sizeBytes <= shownMaxBytes) return { type: 'text', text }
  const entry = storedOrNote(() => scratchpad.setNumbered(toolName, text))
  if (typeof entry === 'string') return { type: 'text', text: `${startWithin(text, shownMaxBytes)}\n...\n${entry}` }
  const { name } = entry
  const whole = sizeBytes <= resultMaxBytes ? `limit ${text.length} for all of it, or ` : ''
  const preview = text.slice(0, characterBorder(text, previewCharacters))
  return {
    type: 'text',
    text: [
      `<large-output name="${name}" size="${sizeBytes}">`,
      `Output too large (${formatSize(sizeBytes)}). Read it with scratchpad_read, name "${name}": ${whole}page with offset and limit, or search it with regex.`,
      '',
      `Preview (first ${preview.length} characters):`,
      preview,
      '...',
      '</large-output>',
    ].join('\n'),
  }
}

/** `at`, or one more if `at` is inside a surrogate pair. */
export function characterBorder(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length))
  return isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1)) ? at + 1 : at
}
