// Reading ahead gives a script the same contents as reading in turn, and does not overwrite what others write meanwhile.

import { expect, it } from 'vitest'

import { isVfsError } from '../../vfs/error.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { ShellFiles } from '../../shell/files.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { memory } from '../memory/index.ts'
import { answerFiles } from './file-server.ts'
import { createRemoteFiles, type RemoteFiles } from './remote-files.ts'
import { openRunFiles } from './run-files.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const content = (text: string): Uint8Array => new TextEncoder().encode(text)

async function createFiles(): Promise<Vfs> {
  const files = ['/x', '/y'].flatMap(directory => names.map(name => [`${directory}/${name}`, `${directory}/${name} as it was`]))
  const vfs = createVfs(memory(Object.fromEntries(files) as Record<string, string>))
  await vfs.symlink('/x', '/link')
  await vfs.symlink('../y/b', '/x/cc')
  await vfs.link('/x/d', '/y/dd')
  await vfs.writeFile('/x/e', 'e'.repeat(20_000))
  return vfs
}

function remote(vfs: Vfs): RemoteFiles & { readonly questions: string[] } {
  const run = openRunFiles(vfs, (_paths, _signal, work) => work())
  const questions: string[] = []
  const { files, forgetAhead } = createRemoteFiles(async question => {
    questions.push(question.kind === 'ahead' ? `ahead ${question.of}` : question.verb)
    const reply = await answerFiles({ ...question, id: 1 }, run)
    if (reply.kind === 'failure') throw Object.assign(new Error(reply.message), { code: reply.code })
    return reply.kind === 'answer' ? reply.value : undefined
  })
  return { files, forgetAhead, questions }
}

type Act = (files: ShellFiles) => unknown

/** A few steps of a script, as commands make them. */
function steps(random: Random): readonly Act[] {
  const directory = random.pick(['/x', '/y', '/link'])
  const path = `${random.pick(['/x', '/y', '/link'])}/${random.pick(names)}`
  const other = random.pick(names)
  const inOrder = (act: (files: ShellFiles, path: string) => unknown): readonly Act[] => {
    const first = random.below(3)
    return names.slice(first, first + 2 + random.below(6)).map(
      (name): Act =>
        files =>
          act(files, `${directory}/${name}`),
    )
  }
  return random.pick<() => readonly Act[]>([
    () => [files => files.readdir(directory)],
    () => [files => files.readdir(directory), ...inOrder((files, next) => files.readFile(next))],
    () => inOrder((files, next) => files.readFile(next)),
    () => inOrder((files, next) => files.lstat(next)),
    () => inOrder((files, next) => files.stat(next)),
    () =>
      inOrder(async (files, next) => {
        const bytes = await files.readFile(next)
        await files.writeFile(next, content(`${bytes.length} bytes before`))
      }),
    () => {
      const [bytes, append] = [content(`new ${random.below(1000)}`), random.chance(0.3)]
      // A script cannot use its result.
      return [async files => void (await files.writeFile(path, bytes, { append }))]
    },
    () => [files => files.rm(path)],
    () => [files => files.rename(path, `${directory}/${other}`)],
    () => [files => files.chmod(path, 0o600)],
    () => [files => files.symlink(`/y/${other}`, path)],
    () => [files => files.link(`/y/${other}`, path)],
  ])()
}

async function outcome(act: () => unknown): Promise<unknown> {
  try {
    const value = await act()
    if (value instanceof Uint8Array) return new TextDecoder().decode(value)
    return JSON.stringify(value)
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

it('gives what would have been read without it, whatever the script changes and by which name', async () => {
  await forSeeds(seeds({ quick: 25, deep: 10_000 }), async random => {
    const [plain, ahead] = [await createFiles(), await createFiles()]
    const expected = openRunFiles(plain, (_paths, _signal, work) => work()).fs
    const { files, forgetAhead } = remote(ahead)
    for (let turn = 0; turn < 12; turn++) {
      if (random.chance(0.2)) {
        const path = `${random.pick(['/x', '/y'])}/${random.pick(names)}`
        for (const vfs of [plain, ahead]) await outcome(() => vfs.writeFile(path, `by another, turn ${turn}`))
        // The script waited; otherwise it may see the content from before.
        forgetAhead()
      }
      for (const act of steps(random)) {
        const [want, got] = [await outcome(() => act(expected)), await outcome(() => act(files))]
        expect(withoutTimes(got)).toEqual(withoutTimes(want))
      }
    }
  })
})

function withoutTimes(shown: unknown): unknown {
  return typeof shown === 'string' ? shown.replace(/"(?:[mc]timeMs|ino|rev)":[\d.]+/g, '') : shown
}

it('never lets a script overwrite what it did not see', async () => {
  await forSeeds(seeds({ quick: 25, deep: 10_000 }), async random => {
    const vfs = await createFiles()
    const { files } = remote(vfs)
    const seen = new Map<string, string>()
    for (let turn = 0; turn < 30; turn++) {
      const path = `/y/${random.pick(names)}`
      if (random.chance(0.3)) await vfs.writeFile(path, `by another, turn ${turn}`)
      else if (random.chance(0.6)) {
        await files.readdir('/y')
        for (const name of names.slice(random.below(4), 5 + random.below(4)))
          seen.set(`/y/${name}`, new TextDecoder().decode(await files.readFile(`/y/${name}`)))
      } else {
        const before = await vfs.readText(path)
        const refused = await outcome(() => files.writeFile(path, content(`by the script, turn ${turn}`)))
        const mayWrite = seen.get(path) === undefined || seen.get(path) === before
        expect(refused).toBe(mayWrite ? undefined : 'ESTALE')
        if (mayWrite) seen.set(path, `by the script, turn ${turn}`)
      }
    }
  })
})

it('asks for many files at once', async () => {
  const vfs = createVfs(memory(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`/d/${index}`, `${index}`]))))
  const { files, questions } = remote(vfs)
  for (const { name } of await files.readdir('/d'))
    expect(new TextDecoder().decode(await files.readFile(`/d/${name}`))).toBe(name)
  expect(questions.length).toBeLessThan(15)
})

it('asks for each by itself where the files cannot be read at once', async () => {
  const { sync, ...rest } = await createFiles()
  expect(sync).toBeDefined()
  const { files, questions } = remote(rest)
  const entries = await files.readdir('/x')
  for (const { name } of entries) await files.lstat(`/x/${name}`)
  expect(questions.filter(question => question === 'lstat')).toHaveLength(entries.length)
})

it('says why a file cannot be read', async () => {
  const { files } = remote(await createFiles())
  await files.readdir('/x')
  await files.readFile('/x/a')
  await files.rm('/x/c')
  await expect(files.readFile('/x/c')).rejects.toSatisfy(
    error => !isVfsError(error) && (error as { code?: string }).code === 'ENOENT',
  )
})
