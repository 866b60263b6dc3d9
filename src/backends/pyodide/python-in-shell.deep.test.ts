// The command `python3` in scripts of the shell: pipes, here-documents, directories, and files that others change meanwhile.

import { afterEach, expect, it } from 'vitest'

import { parsePath } from '../../core/path.ts'
import { runCommand } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { inDeepRun } from '../../testing/depth.ts'
import { pythonCommand } from '../../testing/programs/python-command.ts'
import { justBash } from '../just-bash/index.ts'
import { memory } from '../memory/index.ts'

let shell: Shell
let fs: Vfs

async function open(worker: 'auto' | 'none' = 'auto'): Promise<void> {
  fs = createVfs(memory({ '/workspace/f': 'old\n', '/workspace/lines.py': 'n = 0\nwhile True:\n  print(n)\n  n += 1\n' }))
  shell = await justBash({ worker, commands: [pythonCommand, { ...pythonCommand, name: 'python' }] })({
    fs,
    root: parsePath('/workspace'),
  })
}

async function run(script: string, timeoutMs = 60_000): Promise<{ output: string; code: number | undefined }> {
  const { output, exit } = await runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 100_000, timeoutMs })
  return { output, code: exit.kind === 'exited' ? exit.code : undefined }
}

afterEach(() => shell.dispose())

const rows: readonly (readonly [script: string, output: string, code: number])[] = [
  [`seq 3 | python3 -c 'import sys; print(sum(map(int, sys.stdin)))'`, '6\n', 0],
  [`python3 - a b <<'EOF'\nimport sys\nprint('+'.join(sys.argv[1:]))\nEOF`, 'a+b\n', 0],
  ['python3 lines.py | head -n 2', '0\n1\n', 0],
  [`python -c 'print(6 * 7)' > out; cat out`, '42\n', 0],
  [`X=1 python3 -c 'import os, sys; sys.exit(int(os.environ["X"]) + 1)'; echo $?`, '2\n', 0],
  [`mkdir d; cd d; python3 -c 'import os; open("x", "w").write(os.getcwd())'; cat x`, '/workspace/d', 0],
  [`yes | python3 -c 'print(input())'`, 'y\n', 0],
  [`timeout 0.2 python3 -c 'while True: pass'; echo $?`, '124\n', 0],
  [
    `mkdir gone; cd gone; rmdir ../gone
python3 -c 'import os
for ask in (os.getcwd, lambda: os.listdir("."), lambda: open("x", "w")):
  try: ask()
  except OSError as e: print(type(e).__name__)
os.chdir("/workspace"); print(os.getcwd(), os.path.exists("f"))'
python3 x.py; python3 -m json.tool <<< [1]; echo $?`,
    "FileNotFoundError\nFileNotFoundError\nFileNotFoundError\n/workspace True\npython3: can't open file 'x.py': [Errno 44] No such file or directory\n[\n    1\n]\n0\n",
    0,
  ],
  [`mkdir t; printf 'import sys\\nsys.exit(4)' > t/__main__.py; python3 t`, '', 4],
]

inDeepRun(() => {
  it.each(rows)('in the shell: %s', async (script, output, code) => {
    await open()
    expect(await run(script)).toEqual({ output, code })
  })

  it('a program does not undo what somebody else wrote to a file that it had read', async () => {
    await open()
    const running = run(
      `python3 -c 'import os, time; open("f").read(); open("seen", "w").close()\nwhile not os.path.exists("go"): time.sleep(0.01)\nopen("f", "w").write("mine")'`,
    )
    await expect.poll(() => fs.exists('/workspace/seen'), { timeout: 60_000 }).toBe(true)
    await fs.writeFile('/workspace/f', 'edited\n')
    await fs.writeFile('/workspace/go', '')
    const { output, code } = await running
    expect({ content: await fs.readText('/workspace/f'), code }).toEqual({ content: 'edited\n', code: 1 })
    expect(output).toContain('somebody else wrote it')
  })

  it('a program ends with its time-out', async () => {
    await open('none')
    expect((await run(`python3 -c 'while True: pass'`, 300)).code).toBeUndefined()
    expect(await run(`python3 -c 'print(1 + 1)'`)).toEqual({ output: '2\n', code: 0 })
  })
})
