// What actors do to a project, and what it is after one of their turns is undone: played in memory, over a worker, and in stored files with a
// reload in between.

import type { Actor } from '../core/actor.ts'
import type { HistorySelection } from '../history/history.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { textOf } from './tool-session.ts'

export interface HistoryScenario {
  readonly name: string
  readonly play: (workspace: Workspace) => Promise<void>
  readonly undo: HistorySelection
  /** Absolute paths. */
  readonly conflicts?: readonly string[]
  /** The project without `.git`, one line for each entry. */
  readonly after: readonly string[]
  /** What `git log --format=%s` and `git status --short` print. */
  readonly git?: string
}

export const projectFiles: Readonly<Record<string, string>> = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'src/b.txt': 'b\n' }

const main: Actor = { kind: 'agent', name: 'main' }
const helper: Actor = { kind: 'agent', name: 'helper' }
const ada: Actor = { kind: 'person', name: 'Ada' }

type Run = (command: string, turn: string) => Promise<string>

async function commandsOf(workspace: Workspace, actor: Actor): Promise<Run> {
  const tools = await workspace.toolset('ah', { actor })
  return async (command, turn) => {
    const result = await tools.call('bash', { command }, { turn })
    if (result.isError) throw new Error(`${command}: ${textOf(result)}`)
    return textOf(result)
  }
}

async function typeIn(workspace: Workspace, path: string, text: string): Promise<void> {
  await workspace.as(ada).fs.writeFile(`${workspace.root}/${path}`, text)
}

export const historyScenarios: readonly HistoryScenario[] = [
  {
    name: 'rm -rf src && git commit',
    async play(workspace) {
      const run = await commandsOf(workspace, main)
      await run('git init -q && git config user.email a@b && git config user.name A && git add . && git commit -qm one', 't0')
      await run('rm -rf src && git commit -qam two', 't1')
      await typeIn(workspace, 'mine.txt', 'mine\n')
    },
    undo: { turn: 't1' },
    after: ['a.txt=one\\ntwo\\nthree\\nfour\\nfive\\n', 'mine.txt=mine\\n', 'src/', 'src/b.txt=b\\n'],
    git: 'one\n?? mine.txt',
  },
  {
    name: 'a moved directory that a person edited in',
    async play(workspace) {
      const run = await commandsOf(workspace, main)
      await run('mv src lib && echo made > lib/made.txt', 't1')
      await typeIn(workspace, 'lib/b.txt', 'b\ntyped\n')
    },
    undo: { turn: 't1' },
    after: ['a.txt=one\\ntwo\\nthree\\nfour\\nfive\\n', 'src/', 'src/b.txt=b\\ntyped\\n'],
  },
  {
    name: 'interleaved turns of two agents',
    async play(workspace) {
      const [first, second] = [await commandsOf(workspace, main), await commandsOf(workspace, helper)]
      await first('sed -i s/one/ONE/ a.txt', 't1')
      await second('sed -i s/five/FIVE/ a.txt && echo helper > helper.txt', 't2')
      await first('echo main > main.txt && rm -r src', 't1')
      await second('chmod 755 helper.txt && sed -i s/three/THREE/ a.txt', 't2')
      await typeIn(workspace, 'helper.txt', 'helper\ntyped\n')
    },
    undo: { turn: 't1' },
    after: ['a.txt=one\\ntwo\\nTHREE\\nfour\\nFIVE\\n', 'helper.txt=helper\\ntyped\\n', 'src/', 'src/b.txt=b\\n'],
  },
  {
    name: 'the other one of two interleaved turns',
    async play(workspace) {
      const [first, second] = [await commandsOf(workspace, main), await commandsOf(workspace, helper)]
      await second('mkdir -p made/empty && ln -s ../a.txt made/link && mv src/b.txt made/b.txt', 't2')
      await first("sed -i '1i zero' a.txt && echo more >> made/b.txt", 't1')
      await second('sed -i s/five/FIVE/ a.txt && rmdir src', 't2')
    },
    undo: { turn: 't2' },
    after: ['a.txt=zero\\none\\ntwo\\nthree\\nfour\\nfive\\n', 'src/', 'src/b.txt=b\\nmore\\n'],
  },
  {
    name: 'lines that another agent changed too',
    async play(workspace) {
      const [first, second] = [await commandsOf(workspace, main), await commandsOf(workspace, helper)]
      await first('sed -i s/two/TWO/ a.txt && echo x >> src/b.txt', 't1')
      await second('sed -i s/TWO/2/ a.txt', 't2')
    },
    undo: { turn: 't1' },
    conflicts: ['/workspace/a.txt'],
    after: ['a.txt=one\\n2\\nthree\\nfour\\nfive\\n', 'src/', 'src/b.txt=b\\n'],
  },
]

/** The project as `after` has it. */
export async function showProject({ fs, root }: Workspace): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { path, kind } of fs.walk(root)) {
    const name = path.slice(root.length + 1)
    if (name === '.git' || name.startsWith('.git/')) continue
    if (kind === 'symlink') lines.push(`${name}->${await fs.readlink(path)}`)
    else lines.push(kind === 'file' ? `${name}=${(await fs.readText(path)).replaceAll('\n', '\\n')}` : `${name}/`)
  }
  return lines.sort()
}

/** Undoes the scenario's turn and says what that gave; then redoes it, which must give what was there before. */
export async function undoScenario(
  workspace: Workspace,
  { undo, git }: HistoryScenario,
): Promise<{
  readonly conflicts: readonly string[]
  readonly after: readonly string[]
  readonly git: string | undefined
  readonly redoGivesBefore: boolean
}> {
  const before = await showProject(workspace)
  const { conflicts } = await workspace.history.undo(undo, { actor: ada })
  const after = await showProject(workspace)
  const run = await commandsOf(workspace, ada)
  const shown = git === undefined ? undefined : (await run('git log --format=%s; git status --short', 'look')).trimEnd()
  await workspace.history.redo()
  const redoGivesBefore = JSON.stringify(await showProject(workspace)) === JSON.stringify(before)
  return { conflicts: conflicts.map(({ path }) => path), after, git: shown, redoGivesBefore }
}
