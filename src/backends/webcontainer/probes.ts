// jsh resembles bash, but it is not documented which parts of bash it supports. After each boot one process tries a dozen scripts, and the
// model is told which failed. See docs/webcontainer.md, "The shell".

import type { ContainerLink } from './link.ts'
import { runFramed } from './framed.ts'

interface Probe {
  readonly name: string
  readonly script: string
  readonly expect: string
  /** The text for the model if the probe fails. */
  readonly gap: string
}

const probes: readonly Probe[] = [
  { name: 'pipes', script: 'echo a | cat', expect: 'a', gap: 'pipes (`a | b`)' },
  { name: 'and-or', script: 'false && echo a || echo b', expect: 'b', gap: '`a && b || c`' },
  { name: 'variables', script: 'x=1; echo "[$x]"', expect: '[1]', gap: 'variables' },
  { name: 'substitution', script: 'echo "[$(echo a)]"', expect: '[a]', gap: 'command substitution `$(…)`' },
  { name: 'here-document', script: 'cat <<EOF\na\nEOF', expect: 'a', gap: 'here-documents (write the file with a tool instead)' },
  { name: 'if', script: 'if true; then echo a; else echo b; fi', expect: 'a', gap: '`if`' },
  { name: 'for', script: 'for i in 1 2; do echo $i; done', expect: '1\n2', gap: '`for`' },
  { name: 'not', script: 'if ! false; then echo a; fi', expect: 'a', gap: '`!`' },
  { name: 'function', script: 'f() { echo a; }; f', expect: 'a', gap: 'functions' },
  { name: 'set-e', script: 'set -e; echo a; false; echo b', expect: 'a', gap: '`set -e`' },
  { name: 'pipefail', script: 'set -o pipefail; false | true; echo $?', expect: '1', gap: '`set -o pipefail`' },
  { name: 'background', script: 'true & wait; echo a', expect: 'a', gap: '`cmd &`, `wait` and jobs' },
]

/** One command that prints the existing ones, each on a separate line. */
const tools = ['grep', 'sed', 'awk', 'find', 'tar', 'git', 'printf', 'wc', 'tr', 'xargs', 'which', 'timeout', 'curl']

export interface ShellFacts {
  /** Whether the framed runner works: exact bytes and two streams. */
  readonly isFramed: boolean
  readonly notes: readonly string[]
}

const memoryKey = 'shell-facts-1'
/** If it takes longer, the runner does not work there. */
const probeTimeoutMs = 20_000

/** Runs the probes in the container's shell, or returns the result of an earlier run. */
export async function shellFacts(link: ContainerLink): Promise<ShellFacts> {
  const known = parseFacts(await link.call('recall', [memoryKey]))
  if (known !== undefined) return known
  const facts = await ask(link)
  await link.call('remember', [memoryKey, JSON.stringify(facts)])
  return facts
}

async function ask(link: ContainerLink): Promise<ShellFacts> {
  const scripts = [
    ...probes.map(({ script }) => script),
    ...tools.map(tool => `${tool} --version </dev/null >/dev/null 2>/dev/null; echo $?`),
  ]
  const results = await runFramed(link, { probes: scripts }, probeTimeoutMs)
  if (results === undefined) {
    return {
      isFramed: false,
      notes: [
        'Standard output and standard error come as one stream through a terminal, and a character may be lost where output is cut.',
        'Which parts of bash this shell has could not be found out: keep scripts simple, or use `node`.',
      ],
    }
  }
  const missingSyntax = probes.filter(({ expect }, index) => results[index]?.output.trim() !== expect).map(({ gap }) => gap)
  const missingTools = tools.filter((_tool, index) => results[probes.length + index]?.output.trim() === '127')
  return {
    isFramed: true,
    notes: [
      ...(missingSyntax.length === 0 ? [] : [`This shell does not have: ${missingSyntax.join(', ')}.`]),
      ...(missingTools.length === 0
        ? []
        : [`Missing commands: ${missingTools.join(', ')}. Use the tools for files, or a Node script.`]),
    ],
  }
}

function parseFacts(text: string | undefined): ShellFacts | undefined {
  if (text === undefined) return undefined
  const data: unknown = JSON.parse(text)
  if (typeof data !== 'object' || data === null || !('isFramed' in data) || !('notes' in data)) return undefined
  const { isFramed, notes } = data
  if (typeof isFramed !== 'boolean' || !Array.isArray(notes)) return undefined
  return { isFramed, notes: notes.map(String) }
}
