// Forks in random order with concurrent work outside of them: after the merge, every written line exists somewhere, and
// everything that could not be merged is reported.

import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { seeds } from '../testing/depth.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { overlay } from '../vfs/overlay.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { createWorkspace } from './create-workspace.ts'

const rounds = seeds({ quick: 25, deep: 2_000 })
const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

const grounds: Readonly<Record<string, (files: Readonly<Record<string, string>>) => VfsBackend>> = {
  'of a tree': files => memory(files),
  'over an overlay': files => overlay(memory(files)),
}

test.each(Object.entries(grounds))(
  `${rounds} forks %s with work on both sides: nothing is silently lost`,
  async (_name, ground) => {
    const seen = { merged: 0, conflicts: 0, clean: 0 }
    await forSeeds(rounds, async random => {
      const base = ['a', 'b', 'd/c', 'd/e'].map(name => [
        name,
        Array.from({ length: 8 }, (_, index) => `base ${name} ${index}\n`).join(''),
      ])
      const workspace = await createWorkspace({ fs: ground(Object.fromEntries(base)), shell: 'none', history: true })
      const fork = await workspace.fork({ actor: { kind: 'agent', name: 'helper' } })
      const token = tokens()
      for (let merge = 0; merge < 2; merge++) {
        for (let step = random.below(10); step >= 0; step--) {
          const isFork = random.chance(0.5)
          await act(random, isFork ? fork.fs : workspace.fs, `${isFork ? 'fork' : 'main'} ${token()}`)
        }
        const [main, forked] = [await contents(workspace.fs), await contents(fork.fs)]
        const isRefusing = random.chance(0.2)
        const result = await fork.merge({ onConflict: isRefusing ? 'refuse' : 'leave' })
        const after = await contents(workspace.fs)
        seen.merged += result.merged.length
        seen.conflicts += result.conflicts.length
        if (result.conflicts.length === 0) seen.clean++
        if (result.outcome === 'conflict') {
          expect(result.conflicts.length).toBeGreaterThan(0)
          expect(after).toEqual(main)
          continue
        }
        // Everything that was written outside of the fork is there.
        expect(missing(linesOf(main, 'main'), after)).toEqual([])
        // Everything that was written in the fork is there too, or its file is reported.
        for (const [path, text] of forked) {
          const lost = missing(linesOf(new Map([[path, text]]), 'fork'), after)
          if (lost.length === 0) continue
          const named = result.conflicts.map(conflict => conflict.path as string)
          expect([lost, named.length > 0]).toEqual([lost, true])
        }
        expect(missing(linesOf(forked, 'fork'), new Map([...after, ...(await contents(fork.fs))]))).toEqual([])
        // Paths that neither applied, merged nor conflicting are as they were.
        const told = [...result.applied, ...result.merged, ...result.conflicts.map(conflict => conflict.path as string)]
        for (const [path, text] of main) {
          if (!told.some(place => isIn(path, place)) && after.has(path)) expect([path, after.get(path)]).toEqual([path, text])
        }
      }
      await fork.dispose()
      await workspace.dispose()
    })
    expect(Math.min(seen.merged, seen.conflicts, seen.clean)).toBeGreaterThan(rounds / 20)
  },
)

function tokens(): () => number {
  let last = 0
  return () => ++last
}

function linesOf(files: ReadonlyMap<string, string>, side: string): readonly string[] {
  return [...files.values()].flatMap(text => text.split('\n').filter(line => line.startsWith(side)))
}

function missing(lines: readonly string[], files: ReadonlyMap<string, string>): readonly string[] {
  const there = new Set([...files.values()].flatMap(text => text.split('\n')))
  return lines.filter(line => !there.has(line))
}

async function act(random: Random, fs: Vfs, mark: string): Promise<void> {
  const paths = [...(await contents(fs)).keys()]
  const name = mark.replace(' ', '-')
  if (paths.length === 0 || random.chance(0.15)) return void (await fs.writeFile(`/workspace/${name}`, `${mark}\n`))
  const path = random.pick(paths)
  const text = await fs.readText(path)
  switch (random.below(7)) {
    case 0:
      return await fs.rename(path, `/workspace/moved-${name}`)
    case 1:
      return (await fs.exists('/workspace/d')) ? await fs.rename('/workspace/d', `/workspace/d-${name}`) : undefined
    case 2:
      // Removing the lines of others would lose them on purpose.
      return /main|fork/.test(text) ? undefined : await fs.rm(path)
    default: {
      const lines = text.split('\n').slice(0, -1)
      const at = random.below(lines.length + 1)
      if (random.chance(0.7)) lines.splice(at, 0, mark)
      else if (lines[at]?.startsWith('base') === true) lines[at] = mark
      await fs.writeFile(path, lines.map(line => `${line}\n`).join(''))
    }
  }
}

async function contents(fs: Vfs): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { path, kind } of fs.walk('/workspace')) if (kind === 'file') found.set(path, await fs.readText(path))
  return found
}

/** One planned change. A file is identified by its first line, so that a change finds its file even after a move. */
interface Act {
  readonly number: number
  readonly side: 'fork' | 'main'
  readonly kind: 'insert' | 'replace' | 'move' | 'move into' | 'move directory' | 'remove'
  readonly file: string
  readonly line: number
}

const named = ['a', 'b', 'd/c', 'd/e', 'g/h']
const lineCount = 12
const kinds: readonly Act['kind'][] = [
  'insert',
  'insert',
  'replace',
  'replace',
  'move',
  'move',
  'move into',
  'move directory',
  'remove',
]
const textOf = (file: string): string =>
  `file ${file}\n${Array.from({ length: lineCount }, (_, line) => `base ${file} ${line}\n`).join('')}`

async function carryOut(fs: Vfs, { number, side, kind, file, line }: Act): Promise<void> {
  const state = await contents(fs)
  const pathOf = (name: string): string | undefined => [...state.keys()].find(at => state.get(at)?.startsWith(`file ${name}\n`))
  const directoryOf = (name: string): string | undefined => pathOf(`${name}/id`)?.replace(/\/id$/, '')
  const directory = directoryOf(line % 2 === 0 ? 'd' : 'g')
  if (kind === 'move directory')
    return directory === undefined ? undefined : await fs.rename(directory, `/workspace/directory-${number}`)
  const path = pathOf(file)
  if (path === undefined) return
  const mark = `${side} ${number}`
  const lines = (state.get(path) ?? '').split('\n')
  const at = lines.indexOf(`base ${file} ${line}`)
  switch (kind) {
    case 'move':
      return await fs.rename(path, `/workspace/moved-${number}`)
    case 'move into':
      return directory === undefined ? undefined : await fs.rename(path, `${directory}/moved-${number}`)
    case 'remove':
      return await fs.rm(path)
    default:
      if (at === -1) return
      lines.splice(kind === 'insert' ? at + 1 : at, kind === 'insert' ? 0 : 1, mark)
      await fs.writeFile(path, lines.join('\n'))
  }
}

test(`${rounds} forks with moves on both sides: a merge gives what one after the other would have made, or names it`, async () => {
  const seen = { equal: 0, conflicts: 0 }
  await forSeeds(rounds, async random => {
    const base = Object.fromEntries([...named, 'd/id', 'g/id'].map(name => [name, textOf(name)]))
    const [workspace, alone] = [
      await createWorkspace({ fs: memory(base), shell: 'none' }),
      await createWorkspace({ fs: memory(base), shell: 'none' }),
    ]
    const fork = await workspace.fork()
    let number = 0
    let hasConflicts = false
    for (let merge = 0; merge < 2 && !hasConflicts; merge++) {
      for (const side of ['main', 'fork'] as const) {
        for (let count = random.below(4); count > 0; count--) {
          const act: Act = {
            number: ++number,
            side,
            kind: random.pick(kinds),
            file: random.pick(named),
            line: random.below(lineCount),
          }
          await carryOut(side === 'main' ? workspace.fs : fork.fs, act)
          await carryOut(alone.fs, act)
        }
      }
      const [main, forked] = [await contents(workspace.fs), await contents(fork.fs)]
      const { conflicts } = await fork.merge()
      const after = await contents(workspace.fs)
      hasConflicts = conflicts.length > 0
      if (!hasConflicts) {
        seen.equal++
        expect(Object.fromEntries(after)).toEqual(Object.fromEntries(await contents(alone.fs)))
        continue
      }
      seen.conflicts++
      expect(missing(linesOf(main, 'main'), after)).toEqual([])
      expect(missing(linesOf(forked, 'fork'), new Map([...after, ...(await contents(fork.fs))]))).toEqual([])
    }
    await fork.dispose()
    await workspace.dispose()
    await alone.dispose()
  })
  expect(Math.min(seen.equal, seen.conflicts)).toBeGreaterThan(rounds / 20)
})
