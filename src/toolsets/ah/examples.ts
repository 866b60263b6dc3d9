// Examples of these tools: run as tests (testing/examples.test.ts) and shown in the generated reference.

import type { ToolExamples } from '../../session/tool.ts'

const greet = "export function greet(name: string) {\n  return 'Hello ' + name\n}\n"
const welcome = greet.replace('Hello', 'Welcome')
const files = { 'src/greet.ts': greet, 'README.md': '# Greeter\n' }

export const ahExamples: ToolExamples = {
  read: [
    {
      title: 'Read a file by line numbers',
      files,
      arguments: { path: 'src/greet.ts' },
      expect: { text: "1\texport function greet(name: string) {\n2\t  return 'Hello ' + name\n3\t}" },
    },
    { title: 'Read one line', files, arguments: { path: 'src/greet.ts', offset: 3, limit: 1 }, expect: { text: '3\t}' } },
  ],
  write: [
    {
      title: 'Create a file and its directory',
      files,
      arguments: { path: 'docs/use.md', content: '# Use\n' },
      expect: { text: '1 lines', files: { 'docs/use.md': '# Use\n' } },
    },
  ],
  edit: [
    {
      title: 'Replace a text that is there once',
      files,
      arguments: { path: 'src/greet.ts', old_string: 'Hello', new_string: 'Welcome' },
      expect: { text: '- Hello\n+ Welcome', files: { 'src/greet.ts': welcome } },
    },
    {
      title: 'Name a text that is there twice',
      files,
      arguments: { path: 'src/greet.ts', old_string: 'name', new_string: 'who' },
      expect: { text: 'found 2 times', error: 'old-string-not-unique', files: { 'src/greet.ts': greet } },
    },
  ],
  bash: [
    {
      title: 'Run a command in the workspace',
      files,
      arguments: { command: 'grep -c greet src/greet.ts' },
      expect: { text: '1' },
    },
    {
      title: 'End at the first command that fails',
      files,
      arguments: { command: 'false; echo never' },
      expect: { text: 'exit code: 1', error: 'exit-code' },
    },
  ],
}
