// Reading ahead gives a script the same contents as reading in turn, and does not overwrite what others write meanwhile. Redirections
// that take free names from a listing do the same as those that ask for each.

import { afterEach, expect, it, vi } from 'vitest'

import { isVfsError } from '../../vfs/error.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { ShellFiles } from '../../shell/files.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { memory } from '../memory/index.ts'
import { answerFiles } from './file-server.ts'
import { OpenFiles } from './interpreter/open-files.ts'
import { createRemoteFiles, type RemoteFiles } from './remote-files.ts'
import { openRunFiles } from './run-files.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** What was read ahead ages by the clock. */
function stopTheClock(): void {
  vi.spyOn(performance, 'now').mockReturnValue(0)
}

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
    questions.push(question.kind === 'file' ? question.verb : question.kind === 'ahead' ? `ahead ${question.of}` : question.kind)
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
  stopTheClock()
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

/** A redirection that fails when it is opened does not run its command. */
async function redirectTo(
  files: OpenFiles,
  path: string,
  how: 'truncate' | 'append' | 'exclusive',
  text: string,
): Promise<string | undefined> {
  let file
  try {
    file = await files.openForWriting(path, how, 0o644)
  } catch (error) {
    return `not run: ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`
  }
  await file.write(content(text))
  await file.close()
  return undefined
}

/** Steps of a script that creates, changes and removes files by redirections and commands. */
function redirecting(random: Random): readonly ((files: OpenFiles) => unknown)[] {
  const place = (): string =>
    `${random.pick(['', '/x', '/y', '/link', '/new', '/new/deep'])}/${random.pick([...names, 'p', 'q', 'new'])}`
  const [path, to, isRecursive, target] = [place(), place(), random.chance(0.5), random.pick(names)]
  const how = random.pick(['truncate', 'append', 'exclusive'] as const)
  const directory = random.pick(['/x', '/y', '/link', '/new'])
  return random.pick<() => readonly ((files: OpenFiles) => unknown)[]>([
    () => [files => redirectTo(files, path, how, `by ${how}`)],
    () => Array.from({ length: 8 }, (_, index) => files => redirectTo(files, `${directory}/n${index}`, how, `${index}`)),
    () => [files => files.rm(path, { recursive: true })],
    () => [files => files.rename(path, to)],
    () => [files => files.mkdir(path, { recursive: isRecursive })],
    () => [files => files.symlink(`/y/${target}`, path)],
    // A script cannot use its result.
    () => [async files => void (await files.writeFile(path, content('by a command')))],
  ])()
}

it('creates and refuses the same files by redirections as without it', async () => {
  await forSeeds(seeds({ quick: 50, deep: 10_000 }), async random => {
    const [plain, ahead] = [await createFiles(), await createFiles()]
    const remoteFiles = remote(ahead)
    const expected = new OpenFiles(openRunFiles(plain, (_paths, _signal, work) => work()).fs)
    const files = new OpenFiles(remoteFiles.files)
    for (let turn = 0; turn < 20; turn++) {
      if (random.chance(0.2)) {
        const path = `/x/${random.pick([...names, 'n3', 'n5'])}`
        for (const vfs of [plain, ahead]) await outcome(() => vfs.writeFile(path, `by another, turn ${turn}`))
        // The script waited; otherwise it may take the name for free.
        remoteFiles.forgetAhead()
      }
      for (const act of redirecting(random)) {
        const [want, got] = [await outcome(() => act(expected)), await outcome(() => act(files))]
        expect(withoutTimes(got)).toEqual(withoutTimes(want))
      }
    }
    expect(await contentsOf(ahead)).toEqual(await contentsOf(plain))
  })
})

async function contentsOf(vfs: Vfs): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const { path, kind } of vfs.walk('/')) found.push([path, kind, await outcome(() => vfs.readFile(path))])
  return found
}

it('asks for the places of many new files at once', async () => {
  stopTheClock()
  const { files, questions } = remote(await createFiles())
  const open = new OpenFiles(files)
  for (let index = 0; index < 100; index++) await redirectTo(open, `/x/new${index}`, 'truncate', `${index}`)
  expect(questions.filter(question => question === 'writeFile')).toHaveLength(100)
  expect(questions.length).toBeLessThan(150)
})

/** Each is a change of the script itself after it has learnt that the name `/x/late` is free. */
const ownChanges: readonly (readonly [name: string, change: (files: OpenFiles) => unknown, refused: string | undefined])[] = [
  ['a directory there', files => files.mkdir('/x/late'), 'EISDIR'],
  ['a directory there and one in it', files => files.mkdir('/x/late/deep', { recursive: true }), 'EISDIR'],
  ['a directory moved there', files => files.rename('/y', '/x/late'), 'EISDIR'],
  ['a link to a directory', files => files.symlink('/y', '/x/late'), 'EISDIR'],
  ['its directory removed', files => files.rm('/x', { recursive: true }), 'ENOENT'],
  ['its directory moved', files => files.rename('/x', '/z'), 'ENOENT'],
  ['a file there', files => files.writeFile('/x/late', content('')), undefined],
]

it.each(ownChanges)('a command does not run after %s', async (_name, change, refused) => {
  const open = new OpenFiles(remote(await createFiles()).files)
  for (let index = 0; index < 5; index++) await redirectTo(open, `/x/new${index}`, 'truncate', '')
  await change(open)
  expect(await redirectTo(open, '/x/late', 'truncate', '')).toBe(refused && `not run: ${refused}`)
})

/** Each is made by somebody else after the script has learnt that the name `/x/late` is free. */
const madeMeanwhile: readonly (readonly [
  name: string,
  make: (vfs: Vfs) => Promise<unknown>,
  how: 'truncate' | 'append' | 'exclusive',
  outcome: string,
])[] = [
  ['a file, to which is appended', vfs => vfs.writeFile('/x/late', 'theirs, '), 'append', 'theirs, ours'],
  ['a file, which `>` replaces', vfs => vfs.writeFile('/x/late', 'theirs'), 'truncate', 'ours'],
  ['a file, which `set -C` keeps', vfs => vfs.writeFile('/x/late', 'theirs'), 'exclusive', 'theirs'],
  ['a directory', vfs => vfs.mkdir('/x/late'), 'truncate', 'EISDIR'],
  ['a link to another file', vfs => vfs.symlink('/x/a', '/x/late'), 'append', '/x/a as it wasours'],
]

it.each(madeMeanwhile)('meanwhile somebody makes %s', async (_name, make, how, wanted) => {
  const vfs = await createFiles()
  const open = new OpenFiles(remote(vfs).files)
  for (let index = 0; index < 5; index++) await redirectTo(open, `/x/new${index}`, 'truncate', '')
  await make(vfs)
  await outcome(() => redirectTo(open, '/x/late', how, 'ours'))
  expect(await outcome(() => vfs.readFile('/x/late'))).toBe(wanted)
})
