// Examples of these tools: run as tests (testing/examples.test.ts) and shown in the generated reference.

import type { ToolExamples } from '../../session/tool.ts'

const greet = "export function greet(name: string) {\n  return 'Hello ' + name\n}\n"
const welcome = greet.replace('Hello', 'Welcome')
const files = { 'src/greet.ts': greet, 'README.md': '# Greeter\n' }

const kept = { tool: 'scratchpad_write', arguments: { name: 'plan', content: 'first\nsecond\n' } }

export const agshExamples: ToolExamples = {
  read_file: [
    {
      title: 'Read a file',
      files,
      arguments: { path: 'src/greet.ts' },
      expect: { text: "export function greet(name: string) {\n  return 'Hello ' + name\n}" },
    },
  ],
  edit_file: [
    {
      title: 'Replace a text, once the file was read',
      files,
      after: [{ tool: 'read_file', arguments: { path: 'src/greet.ts' } }],
      arguments: { path: 'src/greet.ts', old_string: 'Hello', new_string: 'Welcome' },
      expect: { text: 'replaced 1 occurrence(s)', files: { 'src/greet.ts': welcome } },
    },
    {
      title: 'Edit a file that was never read',
      files,
      arguments: { path: 'src/greet.ts', old_string: 'Hello', new_string: 'Welcome' },
      expect: { text: 'must be read before editing', error: 'not-read', files: { 'src/greet.ts': greet } },
    },
  ],
  write_file: [
    {
      title: 'Create a file and its directory',
      files,
      arguments: { path: 'docs/use.md', content: '# Use\n' },
      expect: { text: "Successfully wrote 6 bytes to 'docs/use.md'", files: { 'docs/use.md': '# Use\n' } },
    },
  ],
  scratchpad_write: [
    { title: 'Keep a text beside the context', files: {}, arguments: kept.arguments, expect: { text: 'Stored 13 characters' } },
  ],
  scratchpad_read: [
    {
      title: 'Find lines in an entry',
      files: {},
      after: [kept],
      arguments: { name: 'plan', regex: 'sec' },
      expect: { text: '2:second' },
    },
  ],
  scratchpad_edit: [
    {
      title: 'Change an entry',
      files: {},
      after: [kept],
      arguments: { name: 'plan', old_string: 'first', new_string: 'done' },
      expect: { text: 'replaced 1 occurrence(s), 12 characters now' },
    },
  ],
  scratchpad_list: [{ title: 'List the entries', files: {}, after: [kept], arguments: {}, expect: { text: 'plan' } }],
  scratchpad_delete: [
    { title: 'Delete an entry', files: {}, after: [kept], arguments: { name: 'plan' }, expect: { text: 'Deleted' } },
  ],
}
