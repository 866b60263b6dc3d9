// What every shell must do, as data. Real bash passes all of it, which validates the table.

import { runScriptIn, type ShellCase, type ShellHarness } from './contract.ts'

const canSplit: ShellCase['needs'] = capabilities => capabilities.splitStreams
const keepsOrder: ShellCase['needs'] = capabilities => capabilities.ordered
const keepsBytes: ShellCase['needs'] = capabilities => capabilities.exactBytes
const readsInput: ShellCase['needs'] = capabilities => capabilities.stdin === 'eof'

function script(
  name: string,
  command: string,
  expect: Extract<ShellCase, { kind: 'command' }>['expect'],
  more: Partial<Extract<ShellCase, { kind: 'command' }>> = {},
): ShellCase {
  return { kind: 'command', name, command, expect, ...more }
}

/** All rules of the shell contract. */
export const shellCases: readonly ShellCase[] = [
  script('success is 0', 'true', { exit: 0, output: '' }),
  script('an empty script succeeds', '', { exit: 0, output: '' }),
  script('failure is 1', 'false', { exit: 1 }),
  script('exit gives its code', 'exit 7', { exit: 7 }),
  script('a missing command is 127 and named', 'no-such-command-here', { exit: 127, contains: 'no-such-command-here' }),
  script('a syntax error is 2', 'if then', { exit: 2 }),
  script('the last command decides', 'false; true', { exit: 0 }),
  script('a && b || c', 'false && echo a || echo b; true && echo c || echo d', { output: 'b\nc\n', exit: 0 }),
  script(
    'runs in the directory given',
    'cat here.txt',
    { output: 'deep', exit: 0 },
    { files: { 'sub/here.txt': 'deep' }, directory: 'sub' },
  ),
  script('cd holds within a script', 'cd sub && cat here.txt', { output: 'deep' }, { files: { 'sub/here.txt': 'deep' } }),
  script('takes the environment given', 'echo "$GREETING"', { output: 'hello world\n' }, { env: { GREETING: 'hello world' } }),
  script('passes the environment on', 'bash -c \'echo "$GREETING"\'', { output: 'hi\n' }, { env: { GREETING: 'hi' } }),
  script('reads standard input to its end', 'cat; echo end', { output: 'a\nbend\n' }, { stdin: 'a\nb', needs: readsInput }),
  script('has no input when none is given', 'cat | wc -c | tr -d " "', { output: '0\n' }),
  script('splits the streams', 'echo a; echo b >&2; echo c', { stdout: 'a\nc\n', stderr: 'b\n' }, { needs: canSplit }),
  script('keeps the order of both streams', 'echo a; echo b >&2; echo c', { output: 'a\nb\nc\n' }, { needs: keepsOrder }),
  script(
    'keeps the order in a loop',
    'for i in 1 2; do echo $i; echo e$i >&2; done',
    { output: '1\ne1\n2\ne2\n' },
    { needs: keepsOrder },
  ),
  script(
    'keeps the order in branches and lists',
    'if true; then echo a; echo b >&2; fi; { echo c; echo d >&2; } && echo e',
    { output: 'a\nb\nc\nd\ne\n' },
    { needs: keepsOrder },
  ),
  script('keeps the order in a function', 'f() { echo b >&2; echo a; }; f', { output: 'b\na\n' }, { needs: keepsOrder }),
  script(
    'keeps the order of a substitution and what follows',
    'x=$(echo q; echo w >&2); echo "[$x]"',
    { output: 'w\n[q]\n' },
    { needs: keepsOrder },
  ),
  script(
    'a substitution takes standard output only',
    'x=$(echo q; echo w >&2); echo "[$x]"',
    { stdout: '[q]\n' },
    { needs: canSplit },
  ),
  script(
    'a pipe takes standard output only',
    '{ echo q; echo w >&2; } | tr a-z A-Z',
    { stdout: 'Q\n', stderr: 'w\n' },
    { needs: canSplit },
  ),
  script('2>&1 sends both down a pipe', '{ echo q; echo w >&2; } 2>&1 | tr a-z A-Z', { stdout: 'Q\nW\n' }),
  script('2>/dev/null silences a group', '{ echo q; echo w >&2; no-such-command; } 2>/dev/null', { output: 'q\n' }),
  script('2>/dev/null silences a function', 'f() { echo q; echo w >&2; }; f 2>/dev/null', { output: 'q\n' }),
  script('/dev/null takes everything and holds nothing', 'echo x > /dev/null; cat /dev/null; echo end', { output: 'end\n' }),
  script('exec redirects the rest', 'exec 2>&1; echo a; echo b >&2', { stdout: 'a\nb\n', stderr: '' }, { needs: canSplit }),
  script('pipes', 'printf "b\\na\\n" | sort | head -n 1', { output: 'a\n' }),
  script('a pipe answers for its last command', 'false | true', { exit: 0 }),
  script('pipefail answers for any', 'set -o pipefail; false | true', { exit: 1 }),
  script('PIPESTATUS', 'false | true | false; echo "${PIPESTATUS[*]}"', { output: '1 0 1\n' }),
  script('set -e stops at the first failure', 'set -e; echo a; false; echo b', { output: 'a\n', exit: 1 }),
  script('set -e spares conditions', 'set -e; false || echo a; if false; then :; fi; ! true; echo b', {
    output: 'a\nb\n',
    exit: 0,
  }),
  script('set -u stops at an unset variable', 'set -u; echo a; echo "$not_set_anywhere"; echo b', { stdout: 'a\n' }),
  script('writes a file', 'echo one > f; echo two >> f', { files: { f: 'one\ntwo\n' }, exit: 0 }),
  script('reads a file', 'wc -l < f | tr -d " "', { output: '2\n' }, { files: { f: 'one\ntwo\n' } }),
  script('a redirection into a missing directory fails', 'echo x > no/such/f', { exit: 1, contains: 'no/such/f' }),
  script('a failed redirection fails only its command', 'echo x > no/such/f || echo after', { contains: 'after\n', exit: 0 }),
  script('keeps leading white space in quotes', "printf '%s' '\n  a\n\tb'", { output: '\n  a\n\tb' }),
  script('here-documents', 'cat <<EOF\n  a $((1 + 1))\nEOF', { output: '  a 2\n' }),
  script('CRLF in a file stays', 'cat f', { output: 'a\r\nb' }, { files: { f: 'a\r\nb' } }),
  script('UTF-8 goes through', 'echo "ünï → 🎉"; cat f', { output: 'ünï → 🎉\n日本\n' }, { files: { f: '日本\n' } }),
  script('UTF-8 goes through standard error', 'cat f >&2; echo é >&2', { output: '日本\né\n' }, { files: { f: '日本\n' } }),
  script('two bytes that look like one character stay two', 'printf "%s" "Ã©"', { output: 'Ã©' }),
  script(
    'bytes go through pipes and redirections',
    'cat f | cat > g; cp g h',
    { files: { g: [0, 255, 254, 10, 13, 128], h: [0, 255, 254, 10, 13, 128] } },
    { files: { f: [0, 255, 254, 10, 13, 128] }, needs: keepsBytes },
  ),
  script('printf writes bytes', "printf '\\xff\\x00' > f", { files: { f: [255, 0] } }, { needs: keepsBytes }),
  script(
    'the file form is never parsed',
    '',
    { output: '$HOME; echo x > y `z`\n', exit: 0 },
    { command: { kind: 'file', file: 'echo', args: ['$HOME; echo x > y `z`'] } },
  ),
  script(
    'a missing file in the file form fails',
    '',
    { exit: 127 },
    {
      command: { kind: 'file', file: 'no-such-command-here', args: ['a'] },
      needs: capabilities => capabilities.dialect === 'bash' && !capabilities.terminal,
    },
  ),
  script(
    'the end of a long output is kept',
    'seq 1 20000; echo last',
    { endsWith: '20000\nlast\n', droppedBytes: 108_894 + 5 - 1000 },
    { maxCaptureBytes: 1000 },
  ),
  script(
    'a loop that never ends times out',
    'echo a; while true; do :; done',
    { exit: 'timed-out', output: 'a\n' },
    { timesOutAfter: 'a\n', timeoutMs: 700 },
  ),
  script('a sleep times out', 'echo a; sleep 1000; echo b', { exit: 'timed-out', output: 'a\n' }, { timesOutAfter: 'a\n' }),
  script('a time-out of the script itself is an exit', 'timeout 0.1 sleep 1000', { exit: 124 }),
  script('mktemp', 'f=$(mktemp) && echo x > "$f" && cat "$f" && rm "$f"; d=$(mktemp -d) && rmdir "$d"', {
    output: 'x\n',
    exit: 0,
  }),
  { kind: 'procedure', name: 'an abort before the start starts nothing', check: abortBeforeStart },
  { kind: 'procedure', name: 'an abort ends the command', check: abortWhileRunning },
  { kind: 'procedure', name: 'kill ends a process', needs: capabilities => capabilities.kill !== 'none', check: killProcess },
  { kind: 'procedure', name: 'two commands run at once', needs: capabilities => capabilities.concurrent, check: runTwo },
  {
    kind: 'procedure',
    name: 'output comes while the command runs',
    needs: capabilities => capabilities.streaming,
    check: streams,
  },
  { kind: 'procedure', name: 'a missing working directory is refused', check: missingDirectory },
  { kind: 'procedure', name: 'the state of a command is gone with it', check: forgets },
  { kind: 'procedure', name: 'dispose ends what runs', check: disposeWhileRunning },
]

async function abortBeforeStart(harness: ShellHarness): Promise<readonly string[]> {
  const reason = new Error('not now')
  const error = await rejection(runScriptIn(harness, 'echo x > made', { signal: AbortSignal.abort(reason) }))
  const made = await harness.read('made').then(
    () => true,
    () => false,
  )
  return [...(error === reason ? [] : [`rejected with ${String(error)}`]), ...(made ? ['the command ran'] : [])]
}

async function abortWhileRunning(harness: ShellHarness): Promise<readonly string[]> {
  const controller = new AbortController()
  const reason = new Error('enough')
  const running = runScriptIn(harness, 'echo begun; sleep 1000; echo x > made', {
    signal: controller.signal,
    onOutput: () => controller.abort(reason),
  })
  const error = await rejection(running)
  return error === reason ? [] : [`rejected with ${String(error)}`]
}

async function killProcess({ shell }: ShellHarness): Promise<readonly string[]> {
  const process = await shell.start({ kind: 'script', script: 'echo begun; sleep 1000' })
  await process.output[Symbol.asyncIterator]().next()
  const answer = await process.kill('term')
  const exit = await process.exit
  const again = await process.kill('kill')
  return [
    ...(answer === 'delivered' ? [] : [`kill answered ${answer}`]),
    ...(exit.kind === 'killed' ? [] : [`exit was ${exit.kind}`]),
    ...(again === 'already-exited' ? [] : [`a second kill answered ${again}`]),
  ]
}

// Each waits for the other's output, so they end only if they run at the same time, on a machine of any speed.
async function runTwo(harness: ShellHarness): Promise<readonly string[]> {
  const [one, two] = await Promise.all([
    runScriptIn(harness, 'x=1; touch one; until [ -e two ]; do sleep 0.02; done; echo "$x"'),
    runScriptIn(harness, 'x=2; touch two; until [ -e one ]; do sleep 0.02; done; echo "$x"'),
  ])
  return one.output === '1\n' && two.output === '2\n' ? [] : [`they were ${JSON.stringify([one, two])}`]
}

async function streams(harness: ShellHarness): Promise<readonly string[]> {
  const controller = new AbortController()
  const seen: string[] = []
  const running = runScriptIn(harness, 'echo early; sleep 1000; echo late', {
    onOutput(progress) {
      seen.push(progress.output)
      controller.abort()
    },
    progressIntervalMs: 0,
    signal: controller.signal,
  })
  await rejection(running)
  return seen[0] === 'early\n' ? [] : [`progress was ${JSON.stringify(seen)}`]
}

async function missingDirectory({ shell, root }: ShellHarness): Promise<readonly string[]> {
  const error = await rejection(
    runScriptIn({ shell, root: `${root}/missing`, write: refuse, read: refuse, close: refuse }, 'echo x'),
  )
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' ? [] : [`rejected with ${String(error)}`]
}

async function forgets(harness: ShellHarness): Promise<readonly string[]> {
  await runScriptIn(harness, 'x=1; export x; f() { echo f; }; cd /')
  const { output } = await runScriptIn(harness, 'echo "[$x]"; pwd; type f >/dev/null 2>&1 || echo gone')
  return output === `[]\n${harness.root}\ngone\n` ? [] : [`output was ${JSON.stringify(output)}`]
}

async function disposeWhileRunning({ shell }: ShellHarness): Promise<readonly string[]> {
  const process = await shell.start({ kind: 'script', script: 'sleep 1000' })
  await shell.dispose()
  await shell.dispose()
  const exit = await process.exit
  return exit.kind === 'killed' ? [] : [`exit was ${exit.kind}`]
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('not used here'))
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return undefined
  } catch (error) {
    return error
  }
}
