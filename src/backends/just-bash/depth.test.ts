// Long lists and deep nests. A list may be as long as the memory holds; a nest that is too deep for the stack is refused in words.
import { describe, expect, it } from 'vitest'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { tableOf } from './commands/own-commands.ts'
import { nestsTooDeeply } from './errno.ts'
import { runScriptRequest } from './interpreter/run-script.ts'
import { sample } from '../../testing/depth.ts'

async function run(script: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const told = { stdout: '', stderr: '' }
  const code = await runScriptRequest({
    script,
    env: {},
    files: createVfs(memory({ '/w/a': '' })),
    cwd: '/w',
    commands: tableOf([]),
    hasOwnPrograms: false,
    signal: new AbortController().signal,
    isStopped: () => false,
    onOutput: (channel, bytes) => {
      told[channel] += new TextDecoder().decode(bytes)
    },
  })
  return { code, ...told }
}

const times = (text: string, count: number): string => text.repeat(count)

const long: readonly (readonly [what: string, script: string, stdout: string])[] = [
  ['a sum', `echo $((${times('1+', 30_000)}1))`, '30001\n'],
  ['a list in an expression', `echo $((${times('1,', 30_000)}2))`, '2\n'],
  ['conditions of an expression', `echo $((${times('1&&', 20_000)}0 || ${times('0||', 20_000)}3))`, '1\n'],
  ['what a condition skips', `x=1; echo $((0 && x++ && x++ || 1 || x++)) $x`, '1 1\n'],
  ['tests', `[[ ${times('a && ', 20_000)}! b || ${times('"" || ', 20_000)}c ]]; echo $?`, '0\n'],
  ['what a test skips', `x=1; [[ "" && $((x++)) && $((x++)) || c || $((x++)) ]]; echo $? $x`, '0 1\n'],
  ['commands', `${times('true && ', 10_000)}echo a`, 'a\n'],
  ['find', `find . -name a ${times('-a -true ', 20_000)}`, './a\n'],
  ['find with alternatives', `find . -name a -false ${times('-o -false ', 20_000)} -o -name a`, './a\n'],
  ['bc', `echo '${times('1+', 20_000)}1' | bc`, '20001\n'],
  ['bc in its order', `echo '100-10-1-2*3*4-2^2^3; 1 - 1 < 1; 7 / 2 / 2' | bc`, '-191\n1\n1\n'],
  ['a menu', 'select x in {1..150000}; do :; done </dev/null 2>&1 | wc -l', '30001\n'],
  ['jq transpose', "jq -n '[range(150000) | [.]] | transpose | length'", '1\n'],
]

const deep: readonly (readonly [what: string, script: string])[] = [
  ['groups', `${times('{ ', 20_000)}echo a; ${times('};', 20_000)}`],
  ['if', `${times('if true; then ', 20_000)}echo a; ${times('fi;', 20_000)}`],
  ['substitutions', `echo ${times('$(echo ', 20_000)}a${times(')', 20_000)}`],
  ['parameters', `echo ${times('${x:-', 20_000)}a${times('}', 20_000)}`],
  ['braces', `echo ${times('{a,', 5_000)}a${times('}', 5_000)}`],
  ['tests in parentheses', `[[ ${times('( ', 20_000)}a${times(' )', 20_000)} ]]`],
  ['test', `test ${times('! ', 50_000)}a`],
  ['expr', `expr ${times("'(' ", 20_000)}1${times(" ')'", 20_000)}`],
  ['find', `find . ${times('! ', 50_000)}-true`],
  ['bc', `echo '${times('(', 50_000)}1${times(')', 50_000)}' | bc`],
  ['awk', `awk 'BEGIN { print ${times('(', 20_000)}1${times(')', 20_000)} }'`],
  ['jq', `jq -n '${times('[', 20_000)}1${times(']', 20_000)}'`],
  ['jq when it runs', `jq -n 'def f: if . == 0 then 0 else (. - 1 | f) + 1 end; 100000 | f'`],
]

const expressions: readonly string[] = [
  `${times('(', 9_000)}1${times(')', 9_000)}`,
  `${times('2**', 9_000)}1`,
  `${times('-', 9_000)}1`,
  `${times('a=', 9_000)}1`,
  `${times('1?', 9_000)}1${times(':1', 9_000)}`,
]

describe('a long list', () => {
  it.each(sample(long, 3))('%s', async (_what, script, stdout) => {
    expect(await run(script)).toEqual({ code: 0, stdout, stderr: '' })
  })
})

describe('a deep nest is refused', () => {
  it.each(sample(deep, 3))('%s', async (_what, script) => {
    const { stdout, stderr } = await run(script)
    expect({ stdout, isTold: stderr.includes(nestsTooDeeply) }).toEqual({ stdout: '', isTold: true })
  })

  it.each(sample(expressions, 2))('an expression', async expression => {
    const { code, stderr } = await run(`echo $((${expression}))`)
    expect({ code, stderr: stderr.trim() }).toEqual({ code: 1, stderr: 'bash: line 1: expression recursion level exceeded' })
  })
})
