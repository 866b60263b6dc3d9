// Sessions, on a thread and in workers: the state between commands, input for a command, and how it is ended.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsePath } from '../../core/path.ts'
import type { ShellSession } from '../../shell/session.ts'
import type { Shell } from '../../shell/shell.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

const root = parsePath('/workspace')

/** Lines that are run one after the other, and the output of the last one. */
const kept: (readonly [
  what: string,
  expected: { readonly lines: readonly string[]; readonly output: string; readonly code?: number },
])[] = [
  ['the directory', { lines: ['cd src/core', 'pwd'], output: '/workspace/src/core\n' }],
  ['the directory before', { lines: ['cd src', 'cd -', 'echo "$PWD $OLDPWD"'], output: '/workspace /workspace/src\n' }],
  ['variables', { lines: ['a=1 b="x  y"', 'echo "$a|$b"'], output: '1|x  y\n' }],
  ['exported variables, for commands', { lines: ['export GREETING=hi', "bash -c 'echo $GREETING'"], output: 'hi\n' }],
  ['arrays with holes', { lines: ['a=(1 2 3); unset "a[1]"', 'echo "${!a[@]} ${a[@]}"'], output: '0 2 1 3\n' }],
  ['maps', { lines: ['declare -A m=([k]=v [l]="w w")', 'echo "${m[k]} ${m[l]}"'], output: 'v w w\n' }],
  [
    'attributes',
    { lines: ['declare -i n=3; readonly r=1', 'n=n+4; echo $n; r=2'], output: '7\nbash: r: readonly variable\n', code: 1 },
  ],
  [
    'functions',
    { lines: ['greet() { echo "hello $1 from $PWD"; }', 'cd src', 'greet you'], output: 'hello you from /workspace/src\n' },
  ],
  ['aliases', { lines: ["alias ll='ls -1' l='ll src'", 'l'], output: 'a.ts\ncore\n' }],
  ['an alias of its own name', { lines: ["alias echo='echo -n x'", 'echo y'], output: 'x y' }],
  ['options', { lines: ['set -o pipefail; shopt -s nullglob', 'false | true; echo $? *.none'], output: '1\n' }],
  ['the exit code', { lines: ['(exit 3)', 'echo $?'], output: '3\n' }],
  ['positional parameters', { lines: ['set -- a "b c"', 'echo "$# $2"'], output: '2 b c\n' }],
  ['the directory stack', { lines: ['pushd src >/dev/null', 'popd', 'pwd'], output: '/workspace\n' }],
  ['traps', { lines: ['trap "echo bye" EXIT', 'exit 4'], output: 'bye\n', code: 4 }],
  ['an open file', { lines: ['exec 3>out.txt', 'echo one >&3', 'exec 3>&-', 'cat out.txt'], output: 'one\n' }],
  ['a job', { lines: ['sleep 0.05 & wait $!', 'true'], output: '' }],
  ['nothing of a subshell', { lines: ['(cd src; x=1)', 'echo "$PWD $x"'], output: '/workspace \n' }],
  ['itself after a syntax error', { lines: ['x=1', 'if then', 'echo $x $?'], output: '1 2\n' }],
  ['itself after an error that ends a script', { lines: ['set -u', 'echo $nothing', 'echo on'], output: 'on\n' }],
  ['the history', { lines: ['history -c', 'echo a', 'history'], output: '    1  echo a\n    2  history\n' }],
]

const places = [
  { where: 'on a thread', worker: 'none' },
  { where: 'in workers', worker: 'auto' },
] as const

for (const { where, worker } of places) {
  describe(`a session ${where}`, () => {
    let shell: Shell
    beforeAll(async () => {
      const fs = createVfs(
        memory({ '/workspace/src/a.ts': 'a\n', '/workspace/src/core/b.ts': 'b\n', '/workspace/a b.txt': 'ab\n' }),
      )
      shell = await justBash({ worker })({ fs, root })
    })
    afterAll(async () => shell.dispose())
    let count = 0
    const open = async (): Promise<ShellSession> => {
      const session = await shell.openSession?.(`t${++count}`, { columns: 100, rows: 30 })
      if (session === undefined) throw new Error('unreachable: this shell has sessions')
      return session
    }

    it.each(kept)('keeps %s', async (_what, { lines, output, code = 0 }) => {
      const session = await open()
      let last
      for (const line of lines) last = await session.run(line)
      expect({ output: last?.output, code: last?.exitCode }).toEqual({ output, code })
      expect(last?.cwd).toBe(session.cwd)
      await session.close()
    })

    it('takes what is typed: lines, the input of a command, its end, and Ctrl+C', async () => {
      const session = await open()
      await session.write('echo ty')
      await session.write('ped\rread -r name; echo "<$name>"\r')
      await expect.poll(() => session.history).toEqual(['echo typed', 'read -r name; echo "<$name>"'])
      await expect.poll(() => session.isBusy).toBe(true)
      await session.write('Ada\r')
      await expect.poll(() => session.isBusy).toBe(false)
      const counted = session.run('wc -l')
      await session.write('one\rtwo\r\x04')
      expect((await counted).output.trim()).toBe('2')
      const slept = session.run('x=5; sleep 600; x=6')
      await expect.poll(() => session.isBusy).toBe(true)
      await session.write('\x03')
      expect((await slept).exitCode).toBe(130)
      // The earlier state stays, and so does the session.
      expect((await session.run('echo "$x $name $?"')).output).toBe('5 Ada 130\n')
      await session.close()
      await expect(session.run('true')).rejects.toMatchObject({ code: 'session-over' })
    })

    it('ends a busy loop, and a background job goes on', async () => {
      const session = await open()
      const started = await session.run('{ until [ -e go ]; do sleep 0.05; done; echo late > late.txt; } &')
      expect(started.output).toMatch(/^\[1\] \d+\n$/)
      const busy = session.run('while :; do :; done')
      await session.write('\x03')
      expect((await busy).exitCode).toBe(130)
      expect((await session.run('jobs; : > go; wait; cat late.txt')).output).toMatch(/Running[^]*late\n/)
      expect(await session.isIncomplete('for a in b; do')).toBe(true)
      expect(await session.isIncomplete('echo "a')).toBe(true)
      expect(await session.isIncomplete('echo a')).toBe(false)
      expect(await session.isIncomplete('if fi')).toBe(false)
      await session.close()
      expect(await session.ended).toMatchObject({ kind: 'killed' })
    })

    it('completes commands, paths and variables', async () => {
      const session = await open()
      await session.run('farewell() { :; }; FAR_AWAY=1; cd src')
      const at = async (line: string) => {
        const { start, words } = await session.complete(line, line.length)
        return words.map(word => line.slice(0, start) + word)
      }
      expect(await at('farew')).toEqual(['farewell '])
      expect(await at('echo $FAR')).toEqual(['echo $FAR_AWAY'])
      expect(await at('cat a')).toEqual(['cat a.ts '])
      expect(await at('cd ')).toEqual(['cd core/'])
      expect(await at('cat core/')).toEqual(['cat core/b.ts '])
      expect(await at('cat ../a')).toEqual([String.raw`cat ../a\ b.txt `])
      expect(await at('cat "../a')).toEqual(['cat "../a b.txt" '])
      expect(await at('cat ~/sr')).toEqual(['cat ~/src/'])
      expect(await at('ls | gre')).toEqual(['ls | grep '])
      expect(await at('nothing-like-it')).toEqual([])
      await session.close()
    })

    it('keeps the end of output that nobody reads, and a command waits for a reader', async () => {
      const unread = await open()
      const read = await open()
      const reader = read.output[Symbol.asyncIterator]()
      const slow = read.run('yes 0123456789 | head -c 3000000')
      await unread.run('yes 0123456789 | head -c 3000000')
      expect(read.isBusy).toBe(true)
      let size = 0
      while (size < 3_000_000) size += (await reader.next()).value?.bytes.length ?? 0
      expect((await slow).exitCode).toBe(0)
      await unread.close()
      let kept = 0
      for await (const { bytes } of unread.output) kept += bytes.length
      expect([kept > 900_000, kept < 1_400_000]).toEqual([true, true])
    })
  })
}
