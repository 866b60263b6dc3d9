// What the terminal makes of the reports and the result of `bash`, whatever was cut.

import { describe, expect, it } from 'vitest'
import { createWorkspace, type Toolset } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { bashArguments, OutputFollower } from './command.ts'

const mark = '\x1e7\x1e'
const root = '/workspace'

interface Shown {
  readonly output: string
  readonly cwd: string | undefined
  readonly exitCode: number
  readonly notes: string
  readonly isDirectoryGone: boolean
}

async function run(tools: Toolset, line: string, cwd = root): Promise<Shown> {
  const follower = new OutputFollower(mark)
  let output = ''
  const result = await tools.call('bash', bashArguments(line, { cwd, root, mark, tellsDirectory: true }), {
    onUpdate: update => (output += follower.take(update)),
  })
  const { rest, ...end } = follower.end(result)
  return { output: output + rest, ...end }
}

async function withTools(work: (tools: Toolset) => Promise<void>): Promise<void> {
  const workspace = await createWorkspace({ fs: memory({ 'src/a.ts': 'one\n', "it's/b": '' }), root })
  try {
    await work(await workspace.toolset('atomic'))
  } finally {
    await workspace.dispose()
  }
}

describe('a line', () => {
  const rows: readonly (readonly [line: string, output: string, cwd: string | undefined, exitCode: number])[] = [
    ['echo a', 'a\n', root, 0],
    ['true', '', root, 0],
    ["printf 'no newline'", 'no newline', root, 0],
    ['cd src', '', '/workspace/src', 0],
    ['cd src && ls; false', 'a.ts\n', '/workspace/src', 1],
    ['cd "it\'s"', '', "/workspace/it's", 0],
    ['cd /', '', '/', 0],
    ['echo a # a comment', 'a\n', root, 0],
    ['echo a \\', 'a\n', root, 0],
    ["cat <<'E'\nb\nE", 'b\n', root, 0],
    ['echo one; sleep 0.3; echo two; sleep 0.3; (exit 3)', 'one\ntwo\n', root, 3],
    ['echo a; exit 3', 'a\n', undefined, 3],
    ["printf 'x\\036y'", 'x\x1ey', root, 0],
    ['echo /w== | base64 -d; sleep 0.3; echo é', '\uFFFDé\n', root, 0],
  ]
  it.each(rows)('%s', async (line, output, cwd, exitCode) => {
    await withTools(async tools => {
      expect(await run(tools, line)).toEqual({ output, cwd, exitCode, notes: '', isDirectoryGone: false })
    })
  })

  it('starts where the one before ended, also outside the root', async () => {
    await withTools(async tools => {
      expect(await run(tools, 'pwd', '/workspace/src')).toMatchObject({ output: '/workspace/src\n', cwd: '/workspace/src' })
      expect(await run(tools, 'pwd', '/')).toMatchObject({ output: '/\n', cwd: '/', exitCode: 0 })
      expect(await run(tools, 'pwd', "/workspace/it's")).toMatchObject({ cwd: "/workspace/it's" })
    })
  })

  it('says when there is nothing to start in', async () => {
    await withTools(async tools => {
      expect(await run(tools, 'pwd', '/workspace/gone')).toMatchObject({
        output: '',
        isDirectoryGone: true,
        exitCode: 1,
        notes: expect.stringContaining('does not exist'),
      })
    })
  })

  it('shows where something was left out, once, and the end in full', async () => {
    await withTools(async tools => {
      const { output, cwd, notes } = await run(tools, 'for i in 1 2 3; do seq ${i}00001 ${i}20000; sleep 0.15; done')
      expect(output.endsWith('319999\n320000\n')).toBe(true)
      expect(output.match(/left out/g)?.length ?? 0).toBeGreaterThan(0)
      const lines = output.split('\n').filter(line => /^\d{6}$/.test(line))
      expect(new Set(lines).size).toBe(lines.length)
      expect(cwd).toBe(root)
      expect(notes).toContain('Whole output: read artifact://')
    })
  })
})
