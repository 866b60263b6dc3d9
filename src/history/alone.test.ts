// Random histories of three actors, played twice: once by all, with one actor's work undone at the end, and once by the other two alone. Both
// must give the same files, or the undo names a conflict.

import { expect, test } from 'vitest'
import type { Actor } from '../core/actor.ts'
import { seeds } from '../testing/depth.ts'
import { historyGrounds, openOn, type HistoryGround } from '../testing/history-grounds.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import type { Vfs } from '../vfs/vfs.ts'

const actors: readonly Actor[] = [{ kind: 'agent', name: 'main' }, { kind: 'agent', name: 'other' }, { kind: 'person' }]

/** What an actor wants to do. Files are named by their first line, so that an act finds its file wherever others moved it. */
interface Act {
  readonly number: number
  readonly actor: Actor
  readonly inCall: boolean
  readonly kind: 'insert' | 'replace' | 'cut' | 'create' | 'move' | 'move directory' | 'remove' | 'mode'
  readonly file: string
  readonly line: number
}

type State = Readonly<Record<string, { readonly text: string; readonly mode: number }>>

const files = ['/a', '/b', '/d/c', '/d/e/f']
const lineCount = 10
const kinds: readonly Act['kind'][] = [
  ...(['insert', 'insert', 'insert', 'replace', 'replace', 'cut', 'create'] as const),
  ...(['move', 'move directory', 'remove', 'mode'] as const),
]

function actsOf(random: Random): readonly Act[] {
  const acts: Act[] = []
  const count = 3 + random.below(10)
  for (let number = 0; number < count; number++) {
    const made = acts.filter(({ kind }) => kind === 'create').map(act => `new ${act.number}`)
    acts.push({
      ...{ number, actor: random.pick(actors), inCall: random.chance(0.5), kind: random.pick(kinds) },
      ...{ file: random.pick([...files, ...made]), line: random.below(lineCount) },
    })
  }
  return acts
}

const textOf = (file: string): string =>
  `file ${file}\n${Array.from({ length: lineCount }, (_, line) => `base ${file} ${line}\n`).join('')}`

async function stateOf(fs: Vfs): Promise<State> {
  const state: Record<string, { text: string; mode: number }> = {}
  for await (const { path, kind } of fs.walk('/')) {
    if (kind === 'file') state[path] = { text: await fs.readText(path), mode: (await fs.stat(path)).mode }
  }
  return state
}

/** Whether it could be done: its file and its line may be gone. */
async function carryOut(fs: Vfs, act: Act, moved = new Set<string>()): Promise<boolean> {
  const { number, actor, kind, file, line } = act
  const state = await stateOf(fs)
  const path = Object.keys(state).find(at => state[at]?.text.startsWith(`file ${file}\n`))
  if (path === undefined) return false
  const mark = `${actor.name ?? actor.kind} ${number}`
  const directory = path.slice(0, path.lastIndexOf('/'))
  const lines = (state[path]?.text ?? '').split('\n')
  const at = lines.indexOf(`base ${file} ${line}`)
  switch (kind) {
    case 'create':
      // Where an actor puts a file depends on where others have put its neighbour.
      if (moved.has(file) || !files.includes(file)) return false
      await fs.writeFile(`${directory}/new-${number}`, textOf(`new ${number}`))
      return true
    case 'move':
      moved.add(file)
      await fs.rename(path, `/moved-${number}`)
      return true
    case 'move directory':
      if (directory === '' || moved.has(file) || !files.includes(file)) return false
      await fs.rename(directory, `/directory-${number}`)
      return true
    case 'remove':
      await fs.rm(path)
      return true
    case 'mode':
      await fs.chmod(path, 0o700 + number)
      return true
    default: {
      if (at === -1) return false
      const [from, removed] = kind === 'insert' ? [at + 1, 0] : [at, 1]
      lines.splice(from, removed, ...(kind === 'cut' ? [] : [mark]))
      await fs.writeFile(path, lines.join('\n'))
      return true
    }
  }
}

async function begin(ground: HistoryGround): ReturnType<typeof openOn> {
  const opened = await openOn(ground, '')
  for (const file of files) await opened.fs.writeFile(file, textOf(file), { parents: true })
  return opened
}

const histories = seeds({ quick: 60, deep: 2_000 })

test.each(historyGrounds)(`${histories} histories, %s: an undo gives what the others make alone, or names it`, async ground => {
  const seen = { equal: 0, conflicts: 0 }
  await forSeeds(histories, async random => {
    const acts = actsOf(random)
    const undone = random.pick(actors)
    const all = await begin(ground)
    const done: Act[] = []
    const moved = new Set<string>()
    for (const act of acts) {
      const fs = all.as(act.actor, act.inCall ? `c${act.number}` : undefined)
      if ((await carryOut(fs, act, moved)) && act.actor !== undone) done.push(act)
    }
    const alone = await begin('by snapshots')
    // An act on a file that only the undone actor made is impossible without that actor.
    for (const act of done) await carryOut(alone.fs, act)
    const before = await stateOf(all.fs)
    const { conflicts } = await (await all.reload()).undo({ actor: undone })
    const after = await stateOf(all.fs)
    const wanted = await stateOf(alone.fs)
    if (conflicts.length === 0) {
      seen.equal++
      expect(after).toEqual(wanted)
      return
    }
    seen.conflicts++
    const linesOf = (state: State): ReadonlySet<string> => new Set(Object.values(state).flatMap(({ text }) => text.split('\n')))
    const [now, then] = [linesOf(after), linesOf(before)]
    // What the others wrote and what was there before the undo is there after it.
    for (const line of linesOf(wanted)) if (then.has(line)) expect([line, now.has(line)]).toEqual([line, true])
  })
  expect(Math.min(seen.equal, seen.conflicts)).toBeGreaterThan(histories / 20)
})
