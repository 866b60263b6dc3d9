// Resources other than plain files, as a model reads them: lines without tags, a list of names, a picture, or the text as which the file is
// edited.

import { ByteLines } from '../../../core/byte-lines.ts'
import { ToolError, unreachable, type Details } from '../../../core/errors.ts'
import { printablePath } from '../../../core/printable.ts'
import { documentOf, normalizedText, type TextDocument } from '../../../core/text.ts'
import { conflictText, findConflicts } from '../../../resources/conflict/regions.ts'
import { base64 } from '../../../resources/image/base64.ts'
import { openAddress, openByContent, type OpenedResource } from '../../../session/resources.ts'
import { utf16Label } from '../../../search/searchable.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import type { PathSelector } from '../../../text/hashline/selector.ts'
import { readDetails, refusedMark, renderSelection, type RenderedSelection } from './render-selection.ts'
import { documentToShow } from './large-text.ts'
import { readFile } from './run.ts'

/** Throws `ToolError`. */
export async function readAddress(input: string, call: ToolCall): Promise<ToolOutcome> {
  const opened = await openAddress(call.session, input, call.signal)
  call.signal.throwIfAborted()
  if (opened.kind === 'file') return readFile(opened.file, opened.selector, call, opened.isPlain)
  return readResource(opened, call)
}

/** A file that is not text, according to `failure`. */
export async function readByContent(
  file: ResolvedPath,
  selector: PathSelector,
  failure: ToolError,
  call: ToolCall,
): Promise<ToolOutcome> {
  const { session } = call
  const opened = await openByContent(session, file, call.signal)
  if (opened !== undefined) return readResource(opened, call)
  const bytes = await session.vfs.readFile(file.path)
  const label = utf16Label(bytes)
  if (label === undefined) throw failure
  // Without a tag, because an edit would write the file as UTF-8.
  const shown = await renderSelection({
    document: documentOf(new TextDecoder(label).decode(bytes)),
    selector,
    limits: session.limits,
    display: file.display,
    noun: 'file',
    form: selector.raw ? 'plain' : 'numbered',
  })
  const note = `[${file.display} is UTF-16, shown as UTF-8; it cannot be edited by lines. To convert it, replace it with write.]`
  return {
    ...refusedMark(shown),
    content: textContent(`${shown.text}\n\n${note}`),
    details: readDetails({ source: 'file', sourcePath: file.path, encoding: label }, shown),
  }
}

async function readResource(opened: OpenedResource, { session }: ToolCall): Promise<ToolOutcome> {
  const { resource, selector, source, name } = opened
  const meta = { source: name, sourcePath: source?.stored?.path ?? resource.display }
  const notes = (resource.notes ?? []).map(note => `[${note}]`)
  const outcome = (shown: RenderedSelection): ToolOutcome => ({
    ...refusedMark(shown),
    content: textContent([shown.text, ...notes].join('\n\n')),
    details: mergedDetails(resource.details, readDetails(meta, shown)),
  })
  const view = { selector, limits: session.limits, display: resource.display }
  switch (resource.kind) {
    case 'text': {
      const { unselected } = resource
      const isSelected = selector.raw || selector.conflicts || selector.ranges.length > 0
      if (unselected !== undefined && !isSelected) return outcome({ text: unselected, details: {} })
      const text = selector.raw ? (resource.rawText ?? resource.text) : resource.text
      const document = selector.conflicts ? onlyConflicts(documentOf(text)) : documentOf(text)
      const form = selector.raw ? 'raw' : 'plain'
      return outcome(await renderSelection({ ...view, document, noun: resource.noun ?? 'resource', form, hasContext: true }))
    }
    case 'large-text': {
      if (selector.conflicts) throw tooLargeForConflicts(resource.display)
      const lines = new ByteLines(resource.bytes)
      const { readMaxCharacters, readMaxLines } = session.limits
      const isRaw = selector.raw
      return outcome(
        await renderSelection({
          ...view,
          // No unit of UTF-16 takes more than three bytes and no ending more than two; of a selection with more nothing is shown.
          document: documentToShow(lines, selector, session.limits, 3 * readMaxCharacters + 2 * (readMaxLines + 2)),
          charactersIn: spans => spans.reduce((sum, span) => sum + lines.characters(span, isRaw), 0),
          noun: 'resource',
          form: isRaw ? 'raw' : 'plain',
          hasContext: true,
        }),
      )
    }
    case 'projection': {
      const document = documentOf(resource.text)
      const path = source?.stored?.path
      return outcome(
        await renderSelection({
          ...view,
          document,
          noun: 'file',
          form: selector.raw ? 'raw' : path === undefined ? 'plain' : 'numbered',
          ...(path === undefined
            ? {}
            : { tag: rows => session.snapshots.record(path, resource.display, normalizedText(document), { rows }) }),
        }),
      )
    }
    case 'entries': {
      const document = documentOf(resource.names.length === 0 ? '(empty)' : resource.names.map(printablePath).join('\n'))
      const left = resource.total - resource.names.length
      if (left > 0) notes.push(`[${left} more of ${resource.total}. Use find: {"paths": ["${resource.display}"]}]`)
      return outcome(await renderSelection({ ...view, document, noun: 'list', form: 'plain' }))
    }
    case 'image':
      return {
        content: [
          { type: 'text', text: [resource.text, ...notes].join('\n\n') },
          { type: 'image', data: base64(resource.bytes), mimeType: resource.mimeType },
        ],
        details: mergedDetails(resource.details, { meta }),
      }
    default:
      return unreachable(resource)
  }
}

/** Both may have a `meta`; that of the kind takes precedence. */
function mergedDetails(own: Details = {}, general: Details): Details {
  const meta = { ...Object(general['meta']), ...Object(own['meta'] ?? {}) } as Details
  return { ...general, ...own, meta }
}

function tooLargeForConflicts(display: string): ToolError {
  return new ToolError('file-too-large', `${display} is too large to look for conflicts in it.`, {
    nextStep: `Find the markers with search({"pattern": "^(<<<<<<<|>>>>>>>)", "paths": "${display}"}), then read the lines between them.`,
    details: { path: display },
  })
}

/** The lines of the conflicts of a text in which nothing can be resolved. */
function onlyConflicts(document: TextDocument): TextDocument {
  const texts = findConflicts(document).map(region => conflictText(document, region))
  return documentOf(texts.length === 0 ? 'It has no conflicts.' : texts.join('\n'))
}
