// Examples of these tools: run as tests (testing/examples.test.ts) and shown in the generated reference.

import type { ToolExamples } from '../../session/tool.ts'

const greet = "export function greet(name: string) {\n  return 'Hello ' + name\n}\n"
const welcome = greet.replace('Hello', 'Welcome')
const files = { 'src/greet.ts': greet, 'README.md': '# Greeter\n' }

const read = { tool: 'read', arguments: { path: 'src/greet.ts' } }

export const atomicExamples: ToolExamples = {
  read: [
    {
      title: 'Read a file, with the tag that an edit needs',
      files,
      arguments: { path: 'src/greet.ts' },
      expect: { text: "[src/greet.ts#851B]\n1:export function greet(name: string) {\n2:  return 'Hello ' + name\n3:}" },
    },
    {
      title: 'Read some lines as they are, without numbers',
      files,
      arguments: { path: 'src/greet.ts:2+1:raw' },
      expect: { text: "  return 'Hello ' + name\n" },
    },
    { title: 'Look into a directory', files, arguments: { path: '.' }, expect: { text: 'greet.ts' } },
    { title: 'Read a file that does not exist', files, arguments: { path: 'nope' }, expect: { text: 'find', error: 'ENOENT' } },
  ],
  write: [
    {
      title: 'Create a file and its directory',
      files,
      arguments: { path: 'docs/use.md', content: '# Use\n' },
      expect: { text: '[docs/use.md#F78D]', files: { 'docs/use.md': '# Use\n' } },
    },
  ],
  edit: [
    {
      title: 'Replace a line',
      files,
      after: [read],
      arguments: { input: "[src/greet.ts#851B]\nreplace 2..2:\n+  return 'Welcome ' + name" },
      expect: { text: 'src/greet.ts#', files: { 'src/greet.ts': welcome } },
    },
    {
      title: 'Edit a file that was never read in this session',
      files,
      arguments: { input: '[src/greet.ts#0000]\ndelete 2..2' },
      expect: { text: 'Nothing was written', error: 'edit-tag-unknown', files: { 'src/greet.ts': greet } },
    },
  ],
  bash: [
    { title: 'Run a command in the workspace', files, arguments: { command: 'wc -l < src/greet.ts' }, expect: { text: '3' } },
    {
      title: 'Run one that fails',
      files,
      arguments: { command: 'cat missing' },
      expect: { text: 'Command exited with code 1', error: 'exit-code' },
    },
  ],
  find: [{ title: 'Find files by name', files, arguments: { paths: ['**/*.ts'] }, expect: { text: 'greet.ts' } }],
  search: [
    {
      title: 'Find text, with tags to edit by',
      files,
      arguments: { pattern: 'Hello' },
      expect: { text: "[src/greet.ts#851B]\n 1:export function greet(name: string) {\n*2:  return 'Hello ' + name" },
    },
  ],
}
