// Several editors of one file, an agent, the disk and saves, in random order and with messages that take random time: all texts are equal in
// the end, and nothing that was typed is lost.

import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { parsePath } from '../core/path.ts'
import { seeds } from '../testing/depth.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { BufferRules } from './buffer.ts'
import { BufferHub } from './hub.ts'
import type { BufferMessage } from './link.ts'
import { openReplica, type BufferReplica } from './replica.ts'
import { bufferedBackend } from './view.ts'

const path = parsePath('/w/a.txt')

/** Messages both ways wait here until they are delivered. */
class SlowWire {
  readonly #toHub: (() => void)[] = []
  readonly #toEditor: (() => void)[] = []

  async open(hub: BufferHub): Promise<BufferReplica> {
    return await openReplica(async listener => {
      const deliver = (message: BufferMessage): void => void this.#toEditor.push(() => listener(structuredClone(message)))
      const { opened, link } = await hub.open(path, {}, deliver)
      return { opened, link: { ...link, send: (...args) => void this.#toHub.push(() => link.send(...args)) } }
    })
  }

  deliver(random: Random): void {
    const queue = random.chance(0.5) ? this.#toHub : this.#toEditor
    queue.shift()?.()
  }

  drain(): void {
    for (;;) {
      const next = this.#toHub.shift() ?? this.#toEditor.shift()
      if (next === undefined) return
      next()
    }
  }
}

interface Scene {
  readonly random: Random
  readonly hub: BufferHub
  readonly disk: Vfs
  readonly wires: readonly SlowWire[]
  readonly editors: readonly BufferReplica[]
  readonly tools: () => Vfs
  /** A text that occurs nowhere else. */
  readonly token: () => string
}

const rules = (random: Random): Required<BufferRules> => ({
  edits: random.pick(['save-clean', 'save', 'leave'] as const),
  commands: 'save',
})

async function play(random: Random, acts: readonly ((scene: Scene) => unknown)[], steps: number): Promise<Scene> {
  const backend = memory({ '/w/a.txt': 'one\r\ntwo\nthree\r\n' })
  const chosen = rules(random)
  const hub = new BufferHub({
    backend,
    root: parsePath('/w'),
    clock: () => 0,
    maxBytes: 1_000_000,
    rules: { edits: chosen.edits ?? 'leave', commands: 'save' },
  })
  const wires = [new SlowWire(), new SlowWire()]
  const editors = await Promise.all(wires.map(wire => wire.open(hub)))
  const traces = { read: new Set<never>(), changed: new Set<never>() }
  let tokens = 0
  const scene: Scene = {
    ...{ random, hub, wires, editors, disk: createVfs(backend) },
    tools: () => createVfs(bufferedBackend(backend, hub, traces, undefined)),
    token: () => `<${++tokens}>`,
  }
  for (let step = 0; step < steps; step++) {
    await random.pick(acts)(scene)
    for (let count = random.below(3); count > 0; count--) random.pick(wires).deliver(random)
  }
  for (const wire of wires) wire.drain()
  // Every wire may have had something for the other.
  for (const wire of wires) wire.drain()
  await settle()
  for (const wire of wires) wire.drain()
  return scene
}

/** Events of the filesystem arrive in microtasks. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

const typeIn = ({ random, editors, token }: Scene): void => {
  const editor = random.pick(editors)
  editor.change([{ from: random.below(editor.text.length + 1), insert: token() }])
}

const removeIn = ({ random, editors }: Scene): void => {
  const editor = random.pick(editors)
  const from = random.below(editor.text.length + 1)
  editor.change([{ from, to: Math.min(editor.text.length, from + random.below(4)), insert: random.pick(['', '\n', 'x']) }])
}

const agentAdds = async ({ random, tools, token }: Scene): Promise<void> => {
  const fs = tools()
  const { text, rev } = await fs.read(path)
  const lines = text.split('\n')
  lines.splice(random.below(lines.length), 0, token())
  await fs.batch(batch => batch.writeFile(path, lines.join('\n')), { expect: { [path]: rev } })
}

const agentReplaces = async ({ random, tools }: Scene): Promise<void> => {
  const fs = tools()
  const { text, rev } = await fs.read(path)
  const lines = text.split('\n')
  lines.splice(random.below(lines.length), random.below(3), random.pick(['', 'agent', 'a\r\nb']))
  await fs.writeFile(path, lines.join('\n'), { ifRev: rev })
}

const save = ({ hub }: Scene): Promise<void> => hub.saveAll().catch(() => undefined)

const diskChanges = async ({ random, disk, token }: Scene): Promise<void> => {
  const lines = (await disk.readText(path)).split('\n')
  lines.splice(random.below(lines.length), 0, token())
  await disk.writeFile(path, lines.join('\n'))
  await settle()
}

const expectEqual = ({ hub, editors }: Scene): string => {
  const text = hub.at(path)?.content.text ?? ''
  expect(editors.map(editor => editor.text)).toEqual([text, text])
  return text
}

test('all ends are equal', async () => {
  await forSeeds(seeds({ quick: 50, deep: 6_000 }), async random => {
    const scene = await play(
      random,
      [typeIn, typeIn, removeIn, agentAdds, agentReplaces, save, diskChanges],
      5 + random.below(40),
    )
    const text = expectEqual(scene)
    const document = scene.hub.at(path)
    if (document?.conflict === undefined) {
      await scene.hub.saveAll()
      expect((await scene.disk.readText(path)).replaceAll('\r\n', '\n')).toBe(text)
    }
  })
})

test('where everyone only adds, nothing is lost', async () => {
  await forSeeds(seeds({ quick: 30, deep: 4_000 }), async random => {
    let added = 0
    const counted =
      (act: (scene: Scene) => unknown) =>
      async (scene: Scene): Promise<void> => {
        await act(scene)
        added += 1
      }
    const scene = await play(random, [counted(typeIn), counted(typeIn), counted(agentAdds), save], 5 + random.below(40))
    // A token that was typed inside another one splits it, and its own end is there as well.
    expect([...expectEqual(scene)].filter(character => character === '>').length).toBe(added)
  })
})
