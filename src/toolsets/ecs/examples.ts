// Examples of these tools: run as tests (testing/examples.test.ts) and shown in the generated reference.

import type { ToolExamples } from '../../session/tool.ts'

const greet = "export function greet(name: string) {\n  return 'Hello ' + name\n}\n"
const welcome = greet.replace('Hello', 'Welcome')
const files = { 'src/greet.ts': greet, 'README.md': '# Greeter\n' }

export const ecsExamples: ToolExamples = {
  read_file: [
    {
      title: 'Read a file with a tag for each line',
      files,
      arguments: { path: 'src/greet.ts' },
      expect: { text: "1#08ef|export function greet(name: string) {\n2#c13d|  return 'Hello ' + name\n3#b834|}" },
    },
  ],
  write_file: [
    {
      title: 'Create a file and its directory',
      files,
      arguments: { path: 'docs/use.md', content: '# Use\n' },
      expect: { text: 'Wrote 6 bytes to docs/use.md', files: { 'docs/use.md': '# Use\n' } },
    },
  ],
  edit_file: [
    {
      title: 'Replace a line by its tag',
      files,
      after: [{ tool: 'read_file', arguments: { path: 'src/greet.ts' } }],
      arguments: {
        file_path: 'src/greet.ts',
        edits_json: [{ op: 'replace', pos: '2#c13d', lines: ["  return 'Welcome ' + name"] }],
      },
      expect: { text: 'Applied 1 edits to src/greet.ts', files: { 'src/greet.ts': welcome } },
    },
    {
      title: 'Use a tag of another text',
      files,
      arguments: { file_path: 'src/greet.ts', edits_json: [{ op: 'append', pos: '2#0000', lines: ['x'] }] },
      expect: { text: 'Hash mismatch at line 2', error: 'stale-tag', files: { 'src/greet.ts': greet } },
    },
  ],
  bash: [
    { title: 'Run a command in the workspace', files, arguments: { command: 'wc -l < src/greet.ts' }, expect: { text: '3' } },
    { title: 'Run one that fails', files, arguments: { command: 'exit 3' }, expect: { text: 'Exit code 3' } },
  ],
}
