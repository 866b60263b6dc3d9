// A glob that names files finds them although ignore files or a leading dot would hide them, in every toolset that searches.

import { expect, it } from 'vitest'

import type { ToolsetName } from '../workspace/toolsets.ts'
import { openToolSession } from './tool-session.ts'

const tree = { '.gitignore': '*.log\n/out/\n', '.git/HEAD': '', 'a.log': 'x\n', 'b.ts': 'x\n', 'out/c.log': 'x\n', '.env': 'x\n' }

it.each<[name: ToolsetName, tool: string, args: Readonly<Record<string, unknown>>, found: readonly string[]]>([
  ['atomic', 'search', { pattern: 'x', paths: '*.log' }, ['a.log']],
  ['atomic', 'search', { pattern: 'x', glob: '.env' }, ['.env']],
  ['atomic', 'search', { pattern: 'x', include: ['*.ts', '*.log'] }, ['a.log', 'b.ts']],
  ['atomic', 'find', { paths: ['*.log'] }, ['a.log']],
  ['atomic', 'find', { paths: ['.e*'], hidden: false }, ['.env']],
  ['atomic', 'bash', { command: "rg x -g '*.log'" }, ['a.log']],
  ['rye', 'grep', { pattern: 'x', include: '*.log' }, ['a.log', 'c.log']],
  ['rye', 'grep', { pattern: 'x', include: '.env' }, ['.env']],
  ['rye', 'glob', { pattern: '.env' }, ['.env']],
  ['ah', 'bash', { command: "rg x -g '.env'" }, ['.env']],
  ['ecs', 'bash', { command: "rg x -g '*.log'" }, ['a.log']],
])('%s: %s %j', async (name, tool, args, found) => {
  const session = await openToolSession(tree, { name, shell: 'just-bash' })
  const said = await session.text(tool, args)
  expect(['.env', 'a.log', 'b.ts', 'c.log'].filter(file => said.includes(file))).toEqual(found)
})
