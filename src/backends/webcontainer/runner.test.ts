// The stand-in only speaks the runner's protocol. Here the runner's code runs, in a real Node, with bash instead of jsh.

import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFrameReader, type RunnerExit } from './frames.ts'
import { toBase64 } from './framed.ts'
import { runnerSource, type RunnerJob } from './runner.ts'

const folder = mkdtempSync(join(tmpdir(), 'anchorage-runner-'))
writeFileSync(join(folder, 'runner.mjs'), runnerSource)
writeFileSync(join(folder, 'jsh'), '#!/bin/sh\nexec bash "$@"\n')
chmodSync(join(folder, 'jsh'), 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const encoder = new TextEncoder()
const base64 = (text: string): string => toBase64(encoder.encode(text))

interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: RunnerExit | undefined
  readonly probes: readonly { readonly code: number; readonly output: string }[]
}

function run(job: RunnerJob | string, type = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const argument = typeof job === 'string' ? job : base64(JSON.stringify(job))
    const child = spawn(process.execPath, [join(folder, 'runner.mjs'), argument], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const reader = createFrameReader()
    const output = { stdout: [] as number[], stderr: [] as number[] }
    const probes: { code: number; output: string }[] = []
    let exit: RunnerExit | undefined
    child.stdout.on('data', (bytes: Uint8Array) => {
      for (const frame of reader.add(new TextDecoder().decode(bytes))) {
        if (frame.kind === 'output') {
          for (const byte of frame.bytes) output[frame.channel].push(byte)
          if (type !== '') child.stdin.write(type)
        } else if (frame.kind === 'probe') probes.push({ code: frame.code, output: frame.output })
        else if (frame.kind === 'exit') exit = frame.exit
      }
    })
    child.on('error', reject)
    child.on('close', () => {
      const text = (bytes: readonly number[]): string => bytes.map(byte => String.fromCharCode(byte)).join('')
      resolve({ stdout: text(output.stdout), stderr: text(output.stderr), exit, probes })
    })
  })
}

describe('the framed runner', () => {
  test.each<[string, RunnerJob, Partial<Outcome>]>([
    ['splits the streams', { script: 'echo a; echo b >&2' }, { stdout: 'a\n', stderr: 'b\n', exit: { kind: 'exited', code: 0 } }],
    ['keeps bytes', { script: "printf '\\377\\000\\303'" }, { stdout: '\xff\0\xc3' }],
    ['gives the code', { script: 'exit 7' }, { exit: { kind: 'exited', code: 7 } }],
    ['gives input, and its end', { script: 'cat; echo end', stdin: base64('a\nb') }, { stdout: 'a\nbend\n' }],
    ['has no input when there is none', { script: 'cat; echo end' }, { stdout: 'end\n' }],
    ['runs a file without a shell', { file: 'echo', args: ['$HOME; `x`'] }, { stdout: '$HOME; `x`\n' }],
    ['says what is missing', { file: 'no-such-command', args: [] }, { exit: { kind: 'missing', why: undefined } }],
    ['ends in time', { script: 'echo a; exec sleep 1000', timeoutMs: 8_000 }, { stdout: 'a\n', exit: { kind: 'timed-out' } }],
    ['ends a busy loop', { script: 'while :; do :; done', timeoutMs: 300 }, { exit: { kind: 'timed-out' } }],
    [
      'ignores input that nobody reads',
      { script: 'exit 0', stdin: base64('x'.repeat(70_000)) },
      { exit: { kind: 'exited', code: 0 } },
    ],
    ['does not wait for a grandchild', { script: 'sleep 20 & echo a' }, { stdout: 'a\n', exit: { kind: 'exited', code: 0 } }],
  ])('%s', async (_name, job, expected) => expect(await run(job)).toMatchObject(expected))

  test('a signal by its input', async () => {
    expect((await run({ script: 'echo go; exec sleep 20' }, 'kill SIGTERM\n')).exit).toEqual({
      kind: 'killed',
      signal: 'SIGTERM',
    })
  })

  test('a megabyte', async () => {
    const { stdout, exit } = await run({ script: 'head -c 1000000 /dev/zero | tr "\\0" x' })
    expect([stdout.length, exit]).toEqual([1_000_000, { kind: 'exited', code: 0 }])
  })

  test('a job in a file', async () => {
    writeFileSync(join(folder, 'job.json'), JSON.stringify({ script: `echo ${'y'.repeat(50_000)} | wc -c` }))
    expect((await run(`@${join(folder, 'job.json')}`)).stdout.trim()).toBe('50001')
  })

  test('probes, one after the other', async () => {
    expect((await run({ probes: ['echo a', 'exit 3', 'f() { echo b; }; f'] })).probes).toEqual([
      { code: 0, output: 'a\n' },
      { code: 3, output: '' },
      { code: 0, output: 'b\n' },
    ])
  })
})
