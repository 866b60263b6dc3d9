// Applies redirections, and restores the previous files at the end of the command.

import { pathFrom, physicalPath } from '../physical-files.ts'
import { assignElement } from './assign-element.ts'
import { encodeText } from '../../../shell/byte-text.ts'
import type { Redirection } from '../syntax/tree.ts'
import { deviceBehind, makeTemporary, openDevice } from './command-files.ts'
import { Description, inputFile, type OpenFile } from './descriptors.ts'
import { elementOf, expandQuoted, expandText, expandWords } from './expand.ts'
import { ShellError } from './flow.ts'
import type { Shell } from './shell.ts'
import { codeOf, reasonOf, namesDirectory } from '../errno.ts'

/** The descriptors that redirections have replaced. */
export class SavedDescriptors {
  readonly #shell: Shell
  readonly #saved = new Map<number, Description | undefined>()

  constructor(shell: Shell) {
    this.#shell = shell
  }

  save(fd: number): void {
    if (!this.#saved.has(fd)) this.#saved.set(fd, this.#shell.descriptors.get(fd)?.retain())
  }

  /** Restores all descriptors, then throws if a file could not be written when it was closed. */
  async restore(): Promise<void> {
    let problem: Error | undefined
    for (const [fd, description] of [...this.#saved].reverse()) {
      try {
        await this.#shell.descriptors.set(fd, description)
      } catch (error) {
        problem ??= error instanceof Error ? error : new Error(String(error))
      }
      await description?.release()
    }
    this.#saved.clear()
    if (problem !== undefined) throw problem
  }

  /** Makes the redirections permanent, for `exec`. */
  async keep(): Promise<void> {
    for (const description of this.#saved.values()) await description?.release()
    this.#saved.clear()
  }
}

/** Applies the redirections in order. Throws a `ShellError` for the first that fails; the earlier ones remain in effect. */
export async function redirect(shell: Shell, redirections: readonly Redirection[], saved: SavedDescriptors): Promise<void> {
  for (const redirection of redirections) await redirectOne(shell, redirection, saved)
}

async function redirectOne(shell: Shell, redirection: Redirection, saved: SavedDescriptors): Promise<void> {
  const { operator, fdVariable } = redirection
  const isInput = operator === '<' || operator === '<<' || operator === '<<<' || operator === '<&' || operator === '<>'
  if (fdVariable !== undefined) {
    await redirectVariable(shell, redirection, fdVariable)
    return
  }
  const fd = redirection.fd ?? (isInput ? 0 : 1)
  if (operator === '<&' || operator === '>&') {
    const target = await expandText(shell, redirection.target, 'word')
    if (operator === '>&' && redirection.fd === undefined && !/^(?:\d+-?|-)$/.test(target)) {
      await openBoth(shell, redirection, truncating(shell), saved)
      return
    }
    await duplicate(shell, fd, target, saved)
    return
  }
  if (operator === '&>' || operator === '&>>') {
    await openBoth(shell, redirection, operator === '&>' ? truncating(shell) : 'append', saved)
    return
  }
  const file = await openTarget(shell, redirection)
  saved.save(fd)
  await shell.descriptors.set(fd, new Description(file))
}

/** With `set -C`, `>` does not overwrite an existing file. */
function truncating(shell: Shell): 'truncate' | 'exclusive' {
  return shell.has('noclobber') ? 'exclusive' : 'truncate'
}

async function openBoth(
  shell: Shell,
  redirection: Redirection,
  how: 'truncate' | 'append' | 'exclusive',
  saved: SavedDescriptors,
): Promise<void> {
  const name = await targetName(shell, redirection)
  const description = new Description(await openPath(shell, name, how))
  for (const fd of [1, 2]) {
    saved.save(fd)
    await shell.descriptors.set(fd, description)
  }
}

async function duplicate(shell: Shell, fd: number, target: string, saved: SavedDescriptors): Promise<void> {
  if (target === '-') {
    saved.save(fd)
    await shell.descriptors.set(fd, undefined)
    return
  }
  const [, number, moves] = /^(\d+)(-?)$/.exec(target) ?? []
  if (number === undefined) throw new ShellError(`${target}: ambiguous redirect`, 1, 'command')
  const description = shell.descriptors.get(Number(number))
  if (description === undefined) throw new ShellError(`${target}: Bad file descriptor`, 1, 'command')
  saved.save(fd)
  await shell.descriptors.set(fd, description)
  if (moves !== '-' || Number(number) === fd) return
  saved.save(Number(number))
  await shell.descriptors.set(Number(number), undefined)
}

/** `{name}>file` assigns a free descriptor to the variable and leaves it open. */
async function redirectVariable(shell: Shell, redirection: Redirection, name: string): Promise<void> {
  const { operator } = redirection
  if (operator === '<&' || operator === '>&') {
    const target = await expandText(shell, redirection.target, 'word')
    if (target === '-') {
      const [base = name, key] = name.split(/[[\]]/)
      const held = key === undefined ? shell.get(name) : elementOf(shell, base, key)
      await shell.descriptors.set(Number(held ?? -1), undefined)
      return
    }
    const description = shell.descriptors.get(Number(target))
    if (description === undefined) throw new ShellError(`${target}: Bad file descriptor`, 1, 'command')
    await takeFree(shell, name, description)
    return
  }
  await takeFree(shell, name, new Description(await openTarget(shell, redirection)))
}

async function takeFree(shell: Shell, name: string, description: Description): Promise<void> {
  let fd = 10
  while (shell.descriptors.get(fd) !== undefined) fd += 1
  await shell.descriptors.set(fd, description)
  const [base = name, key] = name.split(/[[\]]/)
  assignElement(shell, base, key, String(fd))
}

async function openTarget(shell: Shell, redirection: Redirection): Promise<OpenFile> {
  switch (redirection.operator) {
    case '<<':
      return inputFile(encodeText(await expandQuoted(shell, redirection.target)))
    case '<<<':
      return inputFile(encodeText(`${await expandText(shell, redirection.target, 'word')}\n`))
    case '<':
      return openPath(shell, await targetName(shell, redirection), 'read')
    case '<>':
      return openPath(shell, await targetName(shell, redirection), 'both')
    case '>>':
      return openPath(shell, await targetName(shell, redirection), 'append')
    case '>': {
      const name = await targetName(shell, redirection)
      return openPath(shell, name, truncating(shell))
    }
    default:
      return openPath(shell, await targetName(shell, redirection), 'truncate')
  }
}

async function targetName(shell: Shell, { target }: Redirection): Promise<string> {
  const names = await expandWords(shell, [target])
  const [name] = names
  if (names.length !== 1 || name === undefined) throw new ShellError(`${target.source}: ambiguous redirect`, 1, 'command')
  return name
}

async function openPath(
  shell: Shell,
  name: string,
  how: 'read' | 'truncate' | 'append' | 'exclusive' | 'both',
): Promise<OpenFile> {
  if (name === '') throw new ShellError(': No such file or directory', 1, 'command')
  const { files } = shell.run
  try {
    const path = await physicalPath(files, pathFrom(shell.directory, name))
    const named = shell.run.named.get(path)
    if (named !== undefined) return held(named)
    const device = openDevice(path, shell)
    if (device !== undefined) return shared(device)
    if (how === 'read') return await files.openForReading(path)
    if (path.startsWith('/tmp/')) await makeTemporary(files)
    if (namesDirectory(name)) throw Object.assign(new Error('EISDIR: is a directory'), { code: 'EISDIR' })
    const mode = 0o666 & ~shell.umask
    return how === 'both' ? await files.openForBoth(path, mode) : await files.openForWriting(path, how, mode)
  } catch (error) {
    const device = codeOf(error) === 'ENOENT' ? await deviceBehind(pathFrom(shell.directory, name), shell) : undefined
    const file = device === undefined ? undefined : openDevice(device, shell)
    if (file !== undefined) return shared(file)
    const isKept = how === 'exclusive' && error instanceof Error && error.message.startsWith('EEXIST')
    throw new ShellError(`${name}: ${isKept ? 'cannot overwrite existing file' : reasonOf(error)}`, 1, 'command')
  }
}

/** A process substitution stays open until its path is forgotten and all duplicates are closed: `exec 3< <(…)`. */
function held(description: Description): OpenFile {
  description.retain()
  return { ...shared(description.file), close: () => description.release() }
}

/** Duplicates an open file. Closing the duplicate leaves the original open. */
function shared(file: OpenFile): OpenFile {
  return {
    kind: file.kind,
    canRead: file.canRead,
    canWrite: file.canWrite,
    read: () => file.read(),
    write: bytes => file.write(bytes),
    unread: bytes => file.unread(bytes),
    close: () => undefined,
  }
}
