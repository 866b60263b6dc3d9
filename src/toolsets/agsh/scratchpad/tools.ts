// The tools of the scratchpad. They change only the session's memory, so the level `read` suffices.

import { boolean, description, integer, minValue, number, object, optional, pipe, string } from 'valibot'

import { ToolError } from '../../../core/errors.ts'
import { argumentSchema } from '../../../core/schema.ts'
import { formatSize } from '../../../core/size.ts'
import { defineTool, textContent, type AnyTool, type ToolOutcome } from '../../../session/tool.ts'
import { findOccurrences, replaceOccurrences } from '../../../text/replace.ts'
import { defaultReadCharacters, maxMatchingLines } from './limits.ts'
import { readEntry } from './read-entry.ts'
import type { Scratchpad } from './store.ts'

const annotations: AnyTool['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
const nameArgument = pipe(string(), description('Name of the entry'))

export function createScratchpadTools(scratchpad: Scratchpad): readonly AnyTool[] {
  return [writeTool(scratchpad), readTool(scratchpad), editTool(scratchpad), listTool(scratchpad), deleteTool(scratchpad)]
}

function answer(text: string): Promise<ToolOutcome> {
  return Promise.resolve({ content: textContent(text), details: {} })
}

function writeTool(scratchpad: Scratchpad): AnyTool {
  return defineTool({
    name: 'scratchpad_write',
    describe: () =>
      'Keep a text in the scratchpad of this session under a name, in place of the entry of that name. It is not a file.',
    input: argumentSchema(object({ name: nameArgument, content: pipe(string(), description('The text to keep')) })),
    annotations,
    executionMode: 'sequential',
    isSessionOnly: true,
    run: ({ name, content }) => {
      const { text } = scratchpad.set(name, content)
      return answer(`Stored ${text.length} characters as scratchpad entry "${name}"`)
    },
  })
}

function readTool(scratchpad: Scratchpad): AnyTool {
  return defineTool({
    name: 'scratchpad_read',
    describe: () =>
      `Read a scratchpad entry: ${defaultReadCharacters} characters from offset unless limit says otherwise, or with regex the lines that match, at most ${maxMatchingLines}, as LINE:text.`,
    input: argumentSchema(
      object({
        name: nameArgument,
        offset: optional(pipe(number(), integer(), minValue(0), description('Character to start from, 0-based'))),
        limit: optional(
          pipe(number(), integer(), minValue(0), description(`Maximum number of characters (default ${defaultReadCharacters})`)),
        ),
        regex: optional(pipe(string(), description('Show only lines that match this regular expression'))),
      }),
    ),
    annotations,
    isSessionOnly: true,
    run: async ({ name, ...range }) => readEntry(scratchpad.get(name), range),
  })
}

function editTool(scratchpad: Scratchpad): AnyTool {
  return defineTool({
    name: 'scratchpad_edit',
    describe: () =>
      'Change a scratchpad entry: give content to replace it whole, or old_string and new_string to replace text in it.',
    input: argumentSchema(
      object({
        name: nameArgument,
        content: optional(pipe(string(), description('The whole new text'))),
        old_string: optional(pipe(string(), description('The exact text to find'))),
        new_string: optional(pipe(string(), description('The replacement text'))),
        replace_all: optional(pipe(boolean(), description('Replace every occurrence (default false)'))),
      }),
    ),
    annotations,
    executionMode: 'sequential',
    isSessionOnly: true,
    run: args => {
      const { text } = scratchpad.get(args.name)
      const edited = editedText(text, args)
      scratchpad.set(args.name, edited.text)
      return answer(`Edited scratchpad entry "${args.name}": ${edited.what}, ${edited.text.length} characters now`)
    },
  })
}

interface EntryEdit {
  readonly content?: string | undefined
  readonly old_string?: string | undefined
  readonly new_string?: string | undefined
  readonly replace_all?: boolean | undefined
}

function editedText(text: string, edit: EntryEdit): { readonly text: string; readonly what: string } {
  const { content, old_string: oldText, new_string: newText } = edit
  if (content !== undefined && oldText === undefined && newText === undefined) return { text: content, what: 'replaced whole' }
  if (content !== undefined || oldText === undefined || newText === undefined || oldText === '') {
    throw new ToolError(
      'invalid-arguments',
      'Give either content, or old_string and new_string; old_string must not be empty. Nothing was changed.',
      {
        nextStep: 'Call scratchpad_edit again with one of the two.',
      },
    )
  }
  const found = findOccurrences(text, oldText)
  if (found.length === 0) {
    throw new ToolError('old-string-missing', 'old_string not found in the entry. Nothing was changed.', {
      nextStep: 'Read the entry with scratchpad_read and copy the text exactly.',
    })
  }
  const replaced = edit.replace_all === true ? found : found.slice(0, 1)
  return {
    text: replaceOccurrences(text, replaced, oldText, newText),
    what: `replaced ${replaced.length} occurrence(s)`,
  }
}

function listTool(scratchpad: Scratchpad): AnyTool {
  return defineTool({
    name: 'scratchpad_list',
    describe: () => 'List the entries of the scratchpad with their sizes.',
    input: argumentSchema(object({})),
    annotations,
    isSessionOnly: true,
    run: () => {
      const entries = scratchpad.list()
      if (entries.length === 0) return answer('Scratchpad is empty.')
      const width = Math.max(4, ...entries.map(({ name }) => name.length))
      const row = (name: string, size: string, created: string): string =>
        `${name.padEnd(width)}  ${size.padStart(8)}  ${created}`
      return answer(
        [
          row('Name', 'Size', 'Created'),
          ...entries.map(({ name, sizeBytes, createdMs }) => row(name, formatSize(sizeBytes), new Date(createdMs).toISOString())),
        ].join('\n'),
      )
    },
  })
}

function deleteTool(scratchpad: Scratchpad): AnyTool {
  return defineTool({
    name: 'scratchpad_delete',
    describe: () => 'Delete an entry of the scratchpad.',
    input: argumentSchema(object({ name: nameArgument })),
    annotations,
    executionMode: 'sequential',
    isSessionOnly: true,
    run: ({ name }) => {
      scratchpad.delete(name)
      return answer(`Deleted scratchpad entry "${name}"`)
    },
  })
}
