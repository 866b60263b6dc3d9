// Every tool of every toolset that takes a path, with an example call, for tests that apply to all of them. The file at the path has 'keep'
// in its first line if a call is meant to succeed.

import type { ToolsetName } from '../workspace/toolsets.ts'
import { textOf, type ToolSession } from './tool-session.ts'

export interface PathTool {
  readonly toolset: ToolsetName
  readonly tool: string
  /** `look` shows a file, `list` lists or matches entries below a directory, `change` writes 'gone' into a file. */
  readonly kind: 'look' | 'list' | 'change' | 'command'
  /** Reads first if an edit needs the result of a read. */
  readonly args: (session: Pick<ToolSession, 'call'>, path: string) => Promise<object>
}

const found = async (session: Pick<ToolSession, 'call'>, tool: string, args: object, pattern: RegExp): Promise<string> =>
  pattern.exec(textOf(await session.call(tool, args)))?.[1] ?? ''

const plain =
  (args: (path: string) => object): PathTool['args'] =>
  async (_session, path) =>
    args(path)

export const pathTools: readonly PathTool[] = [
  { toolset: 'atomic', tool: 'read', kind: 'look', args: plain(path => ({ path })) },
  { toolset: 'atomic', tool: 'find', kind: 'list', args: plain(path => ({ paths: [path] })) },
  { toolset: 'atomic', tool: 'search', kind: 'list', args: plain(path => ({ pattern: 'keep', paths: [path] })) },
  { toolset: 'atomic', tool: 'write', kind: 'change', args: plain(path => ({ path, content: 'gone' })) },
  {
    toolset: 'atomic',
    tool: 'edit',
    kind: 'change',
    args: async (session, path) => {
      const tag = await found(session, 'read', { path }, /#([0-9A-F]{4})\]/)
      return { input: `[${path}#${tag || '0000'}]\nreplace 1..1:\n+gone` }
    },
  },
  { toolset: 'atomic', tool: 'bash', kind: 'command', args: plain(path => ({ command: `echo gone > '${path}'` })) },
  { toolset: 'ah', tool: 'read', kind: 'look', args: plain(path => ({ path })) },
  { toolset: 'ah', tool: 'write', kind: 'change', args: plain(path => ({ path, content: 'gone' })) },
  { toolset: 'ah', tool: 'edit', kind: 'change', args: plain(path => ({ path, old_string: 'keep', new_string: 'gone' })) },
  { toolset: 'ah', tool: 'bash', kind: 'command', args: plain(path => ({ command: `echo gone > '${path}'` })) },
  { toolset: 'rye', tool: 'read', kind: 'look', args: plain(path => ({ file_path: path })) },
  { toolset: 'rye', tool: 'glob', kind: 'list', args: plain(path => ({ pattern: '*', path })) },
  { toolset: 'rye', tool: 'grep', kind: 'list', args: plain(path => ({ pattern: 'keep', path })) },
  { toolset: 'rye', tool: 'ls', kind: 'list', args: plain(path => ({ path })) },
  { toolset: 'rye', tool: 'write', kind: 'change', args: plain(path => ({ file_path: path, content: 'gone' })) },
  {
    toolset: 'rye',
    tool: 'edit_lines',
    kind: 'change',
    args: async (session, file_path) => {
      const line_id = await found(session, 'read', { file_path }, /\[LID:([0-9a-f]{6})\]/)
      return { file_path, changes: [{ line_id: line_id || 'aaaaaa', new_content: 'gone' }] }
    },
  },
  { toolset: 'agsh', tool: 'read_file', kind: 'look', args: plain(path => ({ path })) },
  { toolset: 'agsh', tool: 'write_file', kind: 'change', args: plain(path => ({ path, content: 'gone' })) },
  {
    toolset: 'agsh',
    tool: 'edit_file',
    kind: 'change',
    args: plain(path => ({ path, old_string: 'keep', new_string: 'gone', force: true })),
  },
  { toolset: 'ecs', tool: 'read_file', kind: 'look', args: plain(path => ({ path })) },
  { toolset: 'ecs', tool: 'write_file', kind: 'change', args: plain(path => ({ file_path: path, content: 'gone' })) },
  {
    toolset: 'ecs',
    tool: 'edit_file',
    kind: 'change',
    args: async (session, file_path) => {
      const pos = await found(session, 'read_file', { file_path }, /(1#[0-9a-f]+)\|/i)
      return { file_path, edits_json: [{ op: 'replace', pos: pos || '1#0000', lines: ['gone'] }] }
    },
  },
  { toolset: 'ecs', tool: 'bash', kind: 'command', args: plain(path => ({ command: `echo gone > '${path}'` })) },
]
