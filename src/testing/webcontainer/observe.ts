// Questions to a WebContainer whose answers are not documented. The service's answers are recorded with the date; the stand-in is asked the
// same questions, which tests them. This file does not judge the answers.

import type { WebContainer } from '@webcontainer/api'
import { readSnapshot, type SnapshotNode } from '../../backends/webcontainer/snapshot.ts'
import { delay } from './quirks.ts'

/** Where a page stores its findings. */
export const observationsPath = '/webcontainer-observations'

export type Observations = Readonly<Record<string, string>>

/** Parses the record of a live run. `undefined` for an empty text. Throws for other contents. */
export function readObservations(text: string): Observations | undefined {
  if (text === '') return undefined
  const kept: unknown = JSON.parse(text)
  const answers = typeof kept === 'object' && kept !== null && 'answers' in kept ? kept.answers : undefined
  if (typeof answers !== 'object' || answers === null) throw new TypeError('the observations hold no answers')
  return Object.fromEntries(Object.entries(answers).map(([question, answer]) => [question, String(answer)]))
}

/** After this time, the answer is that nothing arrives. */
const patienceMs = 15_000

type Question = readonly [name: string, ask: (container: WebContainer) => Promise<string>]

const questions: readonly Question[] = [
  ['error.read-missing', ({ fs }) => failureOf(() => fs.readFile('observed/missing'))],
  ['error.read-directory', ({ fs }) => failureOf(() => fs.readFile('observed'))],
  ['error.write-into-missing', ({ fs }) => failureOf(() => fs.writeFile('observed/no/file', ''))],
  ['error.make-twice', ({ fs }) => failureOf(() => fs.mkdir('observed'))],
  ['error.remove-directory', ({ fs }) => failureOf(() => fs.rm('observed'))],
  ['error.remove-missing', ({ fs }) => failureOf(() => fs.rm('observed/missing'))],
  ['error.rename-missing', ({ fs }) => failureOf(() => fs.rename('observed/missing', 'observed/b'))],
  [
    'rename.over-a-file',
    async ({ fs }) => {
      await fs.writeFile('observed/one', '1')
      await fs.writeFile('observed/two', '2')
      const failure = await failureOf(() => fs.rename('observed/one', 'observed/two'))
      return `${failure}; two holds ${await fs.readFile('observed/two', 'utf-8')}`
    },
  ],
  ['path.absolute', container => outcomeOf(async () => (await container.fs.readdir(container.workdir)).length)],
  ['path.above', ({ fs }) => outcomeOf(async () => (await fs.readdir('..')).join(' '))],
  [
    'symlink.by-mount',
    async container => {
      await container.mount({ link: { file: { symlink: 'target' } } }, { mountPoint: 'observed' })
      return shapeOf(readSnapshot(await container.export('observed', { format: 'binary' })))
    },
  ],
  [
    'symlink.in-listing',
    async container => {
      await container.mount({ listed: { file: { symlink: 'target' } } }, { mountPoint: 'observed' })
      const entries = await container.fs.readdir('observed', { withFileTypes: true })
      const entry = entries.find(({ name }) => name === 'listed')
      return entry === undefined ? 'not listed' : entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'neither'
    },
  ],
  [
    'export.excludes-name',
    async container => {
      await container.fs.mkdir('observed/out/deep', { recursive: true })
      await container.fs.writeFile('observed/out/deep/f', '')
      return shapeOf(readSnapshot(await container.export('observed', { format: 'binary', excludes: ['out'] })))
    },
  ],
  [
    'export.excludes-anywhere',
    async container => shapeOf(readSnapshot(await container.export('observed', { format: 'binary', excludes: ['**/deep'] }))),
  ],
  ['process.exit-code', container => run(container, 'jsh', ['-c', 'exit 7'])],
  [
    'process.output-after-exit',
    async container => {
      const process = await container.spawn('jsh', ['-c', 'echo a'])
      let hasEnded = false
      const ended = process.output.pipeTo(new WritableStream()).then(() => {
        hasEnded = true
      })
      await process.exit
      await promisesSettled()
      const answer = hasEnded ? 'it has ended' : 'it ends later'
      return await Promise.race([ended.then(() => answer), delay(patienceMs).then(() => 'it does not end')])
    },
  ],
  ['shell.function', container => run(container, 'jsh', ['-c', 'f() { echo called; }; f'])],
  ['process.missing-command', container => run(container, 'no-such-command-here', [])],
  ['process.missing-in-shell', container => run(container, 'jsh', ['-c', 'no-such-command-here'])],
  ['process.line-ends', container => run(container, 'jsh', ['-c', 'echo a; echo b'])],
  ['process.split-character', container => run(container, 'jsh', ['-c', "echo 'é€😀'"])],
  [
    'process.code-after-kill',
    container =>
      outcomeOf(async () => {
        const process = await container.spawn('jsh', ['-c', 'sleep 20'])
        await delay(300)
        process.kill()
        return await Promise.race([process.exit, delay(patienceMs).then(() => 'it does not end')])
      }),
  ],
  ['node.version', container => run(container, 'node', ['--version'])],
]

/** Leaves the container unchanged. */
export async function observe(container: WebContainer): Promise<Observations> {
  await container.fs.mkdir('observed', { recursive: true })
  const found: Record<string, string> = {}
  for (const [name, ask] of questions) {
    try {
      found[name] = await ask(container)
    } catch (error) {
      found[name] = `the question failed: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  await container.fs.rm('observed', { recursive: true, force: true })
  return found
}

/** Lets reactions to messages that have arrived run, but no later message, which a timer would allow on a busy machine. */
async function promisesSettled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve()
}

/** A line for each answer that has changed. */
export function disagreements(before: Observations, now: Observations): readonly string[] {
  return Object.keys({ ...before, ...now })
    .filter(name => before[name] !== now[name])
    .map(name => `${name}: was ${JSON.stringify(before[name])}, is ${JSON.stringify(now[name])}`)
}

async function failureOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act()
    return 'no failure'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

async function outcomeOf(act: () => Promise<unknown>): Promise<string> {
  let given: unknown
  const failure = await failureOf(async () => {
    given = await act()
  })
  return failure === 'no failure' ? String(given) : failure
}

async function run(container: WebContainer, command: string, args: string[]): Promise<string> {
  return await outcomeOf(async () => {
    const process = await container.spawn(command, args, { env: { NO_COLOR: '1' } })
    const reader = process.output.getReader()
    let output = ''
    const reading = (async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        output += value
      }
    })()
    const code = await Promise.race([process.exit, delay(patienceMs).then(() => 'never')])
    await Promise.race([reading, delay(250)])
    await reader.cancel()
    return `exit ${code}, output ${JSON.stringify(output)}`
  })
}

function shapeOf(node: SnapshotNode): string {
  if (node.kind === 'file') return 'file'
  if (node.kind === 'symlink') return `-> ${node.target}`
  return `{${[...node.children].map(([name, child]) => `${name} ${shapeOf(child)}`).join(', ')}}`
}
