// Examples of these tools: run as tests (testing/examples.test.ts) and shown in the generated reference.

import type { ToolExamples } from '../../session/tool.ts'

const greet = "export function greet(name: string) {\n  return 'Hello ' + name\n}\n"
const welcome = greet.replace('Hello', 'Welcome')
const files = { 'src/greet.ts': greet, 'README.md': '# Greeter\n' }

export const ryeExamples: ToolExamples = {
  read: [
    {
      title: 'Read a file with the IDs of its lines',
      files,
      arguments: { file_path: 'src/greet.ts' },
      expect: {
        text: "[LID:162053] export function greet(name: string) {\n[LID:829a5e]   return 'Hello ' + name\n[LID:b316ee] }",
      },
    },
  ],
  write: [
    {
      title: 'Create a file and its directory',
      files,
      arguments: { file_path: 'docs/use.md', content: '# Use\n' },
      expect: { text: 'Created new file docs/use.md (6 bytes)', files: { 'docs/use.md': '# Use\n' } },
    },
  ],
  edit_lines: [
    {
      title: 'Replace a line by its ID',
      files,
      after: [{ tool: 'read', arguments: { file_path: 'src/greet.ts' } }],
      arguments: {
        file_path: 'src/greet.ts',
        changes: [{ line_id: '829a5e', new_content: "  return 'Welcome ' + name\n" }],
      },
      expect: { text: "+  return 'Welcome ' + name", files: { 'src/greet.ts': welcome } },
    },
    {
      title: 'Edit a file that was never read',
      files,
      arguments: { file_path: 'src/greet.ts', changes: [{ line_id: '829a5e', new_content: '' }] },
      expect: { text: 'Read the file first', error: 'no-line-ids', files: { 'src/greet.ts': greet } },
    },
  ],
  glob: [{ title: 'Find files by name, at any depth', files, arguments: { pattern: '*.ts' }, expect: { text: 'src/greet.ts' } }],
  grep: [
    {
      title: 'Find text; a file that was read has line IDs to edit by',
      files,
      after: [{ tool: 'read', arguments: { file_path: 'src/greet.ts' } }],
      arguments: { pattern: 'Hello' },
      expect: { text: "src/greet.ts:2:[LID:829a5e]:  return 'Hello ' + name" },
    },
  ],
  ls: [{ title: 'List a directory', files, arguments: {}, expect: { text: 'src/\nREADME.md' } }],
}
