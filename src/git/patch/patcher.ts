// Applies a patch to files and index: first in memory, reporting everything that does not fit, then in one batch.

import { encodeText, decodeText } from '../../shell/byte-text.ts'
import { mergeFiles } from '../../text/git-merge/merge-files.ts'
import type { GitCall } from '../call.ts'
import { failure, GitFailure } from '../errors.ts'
import { Changes } from '../changes.ts'
import { type GitIndex, type IndexEntry, newEntry } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { resolveRevision } from '../revs/revision.ts'
import { modes, zeroId } from '../store/object-format.ts'
import { hashObject } from '../store/objects.ts'
import { applyDelta } from '../store/pack.ts'
import { indexStat, isSafePath } from '../work/work-tree.ts'
import { applyHunks, type ApplyOptions } from './apply-hunks.ts'
import { type FilePatch, hunkText, type PatchHunk } from './parse-patch.ts'

export interface PatcherOptions extends ApplyOptions {
  /** `index`: files and index, which must match. */
  readonly target: 'files' | 'index' | 'cached'
  readonly threeWay: boolean
  readonly rejects: boolean
  readonly intendsToAdd: boolean
  readonly isVerbose: boolean
  /** Does not report what does not fit. */
  readonly isSilent?: boolean
}

/** The content of a path, now or after the patch. */
interface Image {
  readonly mode: number
  readonly bytes: Uint8Array
}

interface Planned {
  readonly patch: FilePatch
  readonly result: Image | undefined
  readonly rejected: readonly PatchHunk[]
  readonly stages?: readonly [Image | undefined, Image, Image]
}

/** Ends one file of a patch; the others are still processed. */
class Misfit extends Error {
  override readonly name = 'Misfit'
}

export class Patcher {
  readonly #call: GitCall
  /** `undefined` outside of a repository. */
  readonly #repository: Repository | undefined
  readonly #options: PatcherOptions
  readonly #index: GitIndex | undefined
  /** Results of earlier parts of the same patch; `undefined` for removed files. */
  readonly #made = new Map<string, Image | undefined>()
  readonly #leaving: ReadonlySet<string>
  readonly #patches: readonly FilePatch[]

  constructor(
    call: GitCall,
    repository: Repository | undefined,
    index: GitIndex | undefined,
    patches: readonly FilePatch[],
    options: PatcherOptions,
  ) {
    this.#call = call
    this.#repository = repository
    this.#index = index
    this.#patches = patches
    this.#options = options
    // A patch may remove a file and create another one in its place.
    this.#leaving = new Set(
      patches.flatMap(({ kind, oldPath }) =>
        (kind === 'deleted' || kind === 'rename') && oldPath !== undefined ? [oldPath] : [],
      ),
    )
  }

  /** Rejects if the patch does not fit. `isDry`: writes nothing. Returns the exit code. */
  async run(isDry: boolean): Promise<number> {
    const { planned, hasMisfit } = await this.#planAll()
    if (isDry) return hasMisfit ? 1 : 0
    const changes = await this.#collect(planned)
    const isRejected = hasMisfit || planned.some(({ rejected }) => rejected.length > 0)
    await this.#commit(changes, isRejected)
    const conflicts = planned.filter(({ stages }) => stages !== undefined)
    for (const { patch } of conflicts) await this.#call.warn(`U ${patch.newPath ?? ''}`)
    return isRejected || conflicts.length > 0 ? 1 : 0
  }

  /** Changes only the index that was given, which is not written. For the target `cached`. */
  async stage(): Promise<void> {
    await this.#collect((await this.#planAll()).planned)
  }

  async #planAll(): Promise<{ readonly planned: readonly Planned[]; readonly hasMisfit: boolean }> {
    const planned: Planned[] = []
    let hasMisfit = false
    for (const patch of this.#patches) {
      this.#call.check()
      const name = patch.newPath ?? patch.oldPath ?? ''
      if (this.#options.isVerbose) await this.#call.warn(`Checking patch ${name}...`)
      try {
        planned.push(await this.#plan(patch))
      } catch (error) {
        if (!(error instanceof Misfit)) throw error
        if (this.#options.isSilent !== true) await this.#call.warn(error.message)
        hasMisfit = true
      }
    }
    if (hasMisfit && !this.#options.rejects) throw new GitFailure('', 1)
    return { planned, hasMisfit }
  }

  async #plan(patch: FilePatch): Promise<Planned> {
    const { oldPath, newPath } = patch
    for (const path of [oldPath, newPath])
      if (path !== undefined && !isSafePath(path)) throw failure(`invalid path '${path}'`, 128)
    const before = oldPath === undefined ? undefined : await this.#before(patch, oldPath)
    const isMade = before === undefined || patch.kind === 'rename' || patch.kind === 'copy'
    if (newPath !== undefined && isMade && newPath !== oldPath) await this.#needFree(newPath)
    const name = oldPath ?? newPath ?? ''
    const { bytes, rejected, stages } = await this.#apply(patch, before, name)
    const mode = patch.newMode ?? before?.mode ?? modes.file
    const result = newPath === undefined ? undefined : { mode, bytes }
    if (newPath === undefined && bytes.length > 0 && rejected.length === 0)
      throw new Misfit(`error: removal patch leaves file contents\nerror: ${name}: patch does not apply`)
    if (oldPath !== undefined && patch.kind !== 'copy' && oldPath !== newPath) this.#made.set(oldPath, undefined)
    if (newPath !== undefined) this.#made.set(newPath, result)
    return { patch, result, rejected, ...(stages === undefined ? {} : { stages }) }
  }

  /** The content before the patch. `undefined` if a plain diff may create the file. */
  async #before(patch: FilePatch, path: string): Promise<Image | undefined> {
    if (this.#made.has(path) && patch.kind !== 'copy' && patch.kind !== 'rename') {
      const made = this.#made.get(path)
      if (made === undefined) throw new Misfit(`error: path ${path} has been renamed/deleted`)
      return made
    }
    const { target } = this.#options
    const entry = this.#index?.get(path)
    if (target !== 'files' && entry === undefined) {
      if (patch.mayBeNew) return undefined
      throw new Misfit(`error: ${path}: does not exist in index`)
    }
    const file = target === 'cached' ? undefined : await this.#file(path)
    // A file that is only in the index is read from there.
    const isStaged = file === undefined && entry !== undefined && target !== 'files'
    const found = isStaged ? await this.#staged(entry) : file
    if (found === undefined) {
      if (patch.mayBeNew) return undefined
      throw new Misfit(`error: ${path}: No such file or directory`)
    }
    if (target === 'index' && !isStaged && entry !== undefined && !(await this.#agrees(entry)))
      throw new Misfit(`error: ${path}: does not match index`)
    if (patch.oldMode !== undefined && (patch.oldMode & modes.tree) !== (found.mode & modes.tree))
      throw new Misfit(`error: ${path}: wrong type`)
    if (patch.oldMode !== undefined && patch.oldMode !== found.mode)
      await this.#call.warn(`warning: ${path} has type ${found.mode.toString(8)}, expected ${patch.oldMode.toString(8)}`)
    return found
  }

  async #staged(entry: IndexEntry): Promise<Image | undefined> {
    const bytes = await this.#repository?.objects.readBlob(entry.oid)
    return bytes === undefined ? undefined : { mode: entry.mode, bytes }
  }

  async #file(path: string): Promise<Image | undefined> {
    const repository = this.#repository
    const { files, cwd } = this.#call.environment
    if (repository === undefined) {
      const stat = await files.lstat(`${cwd}/${path}`)
      const bytes = stat?.kind === 'file' ? await files.read(`${cwd}/${path}`) : undefined
      return stat === undefined || bytes === undefined
        ? undefined
        : { mode: (stat.mode & 0o100) === 0 ? modes.file : modes.executable, bytes }
    }
    const tree = await repository.workTree()
    const stat = await tree.lstat(path)
    const content = await tree.readForRepository(path, stat, this.#index)
    return stat === undefined || content === undefined
      ? undefined
      : { mode: tree.modeOf(stat, this.#index?.get(path)?.mode), bytes: content.bytes }
  }

  async #agrees(entry: IndexEntry): Promise<boolean> {
    const tree = await this.#repository?.workTree()
    if (tree === undefined || this.#index === undefined) return true
    const stat = await tree.lstat(entry.path)
    if (stat === undefined) return (await tree.compare(entry, stat, this.#index)).kind === 'same'
    return !(await tree.isEdited(entry, stat, this.#index))
  }

  async #needFree(path: string): Promise<void> {
    if (this.#made.has(path) ? this.#made.get(path) === undefined : this.#leaving.has(path)) return
    if (this.#options.target !== 'files' && this.#index?.get(path) !== undefined && !this.#index.get(path)?.isIntentToAdd)
      throw new Misfit(`error: ${path}: already exists in index`)
    if (this.#options.target !== 'cached' && (await this.#file(path)) !== undefined)
      throw new Misfit(`error: ${path}: already exists in working directory`)
  }

  async #apply(
    patch: FilePatch,
    before: Image | undefined,
    name: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly rejected: readonly PatchHunk[]; readonly stages?: Planned['stages'] }> {
    const bytes = before?.bytes ?? new Uint8Array()
    if (patch.binary !== undefined) return { bytes: await this.#applyBinary(patch, bytes, name), rejected: [] }
    if (this.#options.threeWay && before !== undefined) {
      const merged = await this.#merge(patch, before, name)
      if (merged !== undefined) return merged
    }
    const applied = applyHunks(decodeText(bytes), patch.hunks, this.#options)
    const [first] = applied.rejected
    if (first !== undefined && !this.#options.rejects)
      throw new Misfit(`error: patch failed: ${name}:${first.oldStart}\nerror: ${name}: patch does not apply`)
    for (const told of applied.reduced) await this.#call.warn(told)
    for (const hunk of applied.rejected) await this.#call.warn(`error: patch failed: ${name}:${hunk.oldStart}`)
    return { bytes: encodeText(applied.text), rejected: applied.rejected }
  }

  async #applyBinary(patch: FilePatch, before: Uint8Array, name: string): Promise<Uint8Array> {
    const misfit = (message: string): Misfit => new Misfit(`error: ${message}\nerror: ${name}: patch does not apply`)
    const isWhole = (oid: string): boolean => oid.length === zeroId.length
    if (!isWhole(patch.oldOid) || !isWhole(patch.newOid))
      throw misfit(`cannot apply binary patch to '${name}' without full index line`)
    const own = hashObject('blob', before)
    if (patch.oldOid !== zeroId && own !== patch.oldOid)
      throw misfit(`the patch applies to '${name}' (${patch.oldOid}), which does not match the current contents.`)
    if (patch.newOid === zeroId) return new Uint8Array()
    const change = patch.binary?.forward
    const known = (await this.#repository?.objects.read(patch.newOid))?.bytes
    const bytes =
      known ??
      (change?.kind === 'literal' ? change.bytes : change?.kind === 'delta' ? applyDelta(before, change.bytes) : undefined)
    if (bytes === undefined) throw misfit(`missing binary patch data for '${name}'`)
    const made = hashObject('blob', bytes)
    if (made !== patch.newOid)
      throw misfit(`binary patch to '${name}' creates incorrect result (expecting ${patch.newOid}, got ${made})`)
    return bytes
  }

  /** Three-way merge with the version that the patch was made from. `undefined` if the repository lacks it or the patch does not fit it. */
  async #merge(
    patch: FilePatch,
    before: Image,
    name: string,
  ): Promise<
    { readonly bytes: Uint8Array; readonly rejected: readonly PatchHunk[]; readonly stages?: Planned['stages'] } | undefined
  > {
    const repository = this.#repository
    if (repository === undefined || patch.oldOid === '') return undefined
    const base = (await resolveRevision(repository, patch.oldOid).catch(() => undefined))?.oid
    const original = base === undefined ? undefined : await repository.objects.read(base)
    if (original?.type !== 'blob') {
      await this.#call.warn(
        'error: repository lacks the necessary blob to perform 3-way merge.\nFalling back to direct application...',
      )
      return undefined
    }
    const theirs = applyHunks(decodeText(original.bytes), patch.hunks, this.#options)
    if (theirs.rejected.length > 0) return undefined
    const patched = encodeText(theirs.text)
    const merged = mergeFiles(original.bytes, before.bytes, patched, { labels: { ours: 'ours', base: 'base', theirs: 'theirs' } })
    await this.#call.warn(
      merged.conflicts === 0 ? `Applied patch to '${name}' cleanly.` : `Applied patch to '${name}' with conflicts.`,
    )
    if (merged.conflicts === 0) return { bytes: merged.bytes, rejected: [] }
    const mode = before.mode
    return { bytes: merged.bytes, rejected: [], stages: [{ mode, bytes: original.bytes }, before, { mode, bytes: patched }] }
  }

  async #collect(planned: readonly Planned[]): Promise<Changes> {
    const changes = new Changes()
    // Removals first: a file may become a directory.
    for (const { patch } of planned) {
      const { oldPath, newPath, kind } = patch
      if (oldPath !== undefined && oldPath !== newPath && kind !== 'copy' && this.#made.get(oldPath) === undefined)
        this.#remove(changes, oldPath, kind === 'deleted')
    }
    for (const { patch, result, rejected, stages } of planned) {
      const { newPath } = patch
      if (newPath !== undefined && result !== undefined) await this.#put(changes, patch, newPath, result, stages)
      const name = newPath ?? patch.oldPath ?? ''
      if (rejected.length > 0) {
        const text = rejected.map(hunk => decodeText(hunkText(hunk))).join('')
        changes.write(this.#pathOf(`${name}.rej`), encodeText(`diff a/${name} b/${name}\t(rejected hunks)\n${text}`))
        await this.#call.warn(`Applying patch ${name} with ${rejected.length} reject${rejected.length === 1 ? '' : 's'}...`)
        for (const [index, hunk] of patch.hunks.entries())
          await this.#call.warn(rejected.includes(hunk) ? `Rejected hunk #${index + 1}.` : `Hunk #${index + 1} applied cleanly.`)
      } else if (this.#options.isVerbose) await this.#call.warn(`Applied patch ${name} cleanly.`)
    }
    return changes
  }

  /** The index stays as it is if a part of the patch was rejected. */
  async #commit(changes: Changes, isRejected: boolean): Promise<void> {
    const repository = this.#repository
    const writesIndex = !isRejected && (this.#options.target !== 'files' || this.#options.intendsToAdd)
    if (repository === undefined) await changes.commit(this.#call.environment.files, this.#call.environment.signal)
    else await repository.commit(changes, writesIndex ? this.#index : undefined)
  }

  #pathOf(path: string): string {
    return this.#repository === undefined
      ? `${this.#call.environment.cwd}/${path}`
      : `${this.#repository.root.replace(/\/$/, '')}/${path}`
  }

  #remove(changes: Changes, path: string, isWhole: boolean): void {
    const { target } = this.#options
    if (target !== 'files') this.#index?.remove(path)
    if (target === 'cached') return
    changes.remove(this.#pathOf(path))
    const end = path.lastIndexOf('/')
    if (isWhole && end !== -1)
      changes.removeEmptyDirectories(this.#pathOf(path.slice(0, end)), this.#repository?.root ?? this.#call.environment.cwd)
  }

  async #put(changes: Changes, patch: FilePatch, path: string, image: Image, stages: Planned['stages']): Promise<void> {
    const { target, intendsToAdd } = this.#options
    const repository = this.#repository
    const oid =
      repository === undefined || target === 'files'
        ? hashObject('blob', image.bytes)
        : await repository.objects.write('blob', image.bytes)
    const index = this.#index
    if (stages !== undefined && repository !== undefined) {
      const entries = await Promise.all(
        stages.map(async (side, at) =>
          side === undefined
            ? undefined
            : newEntry(path, side.mode, await repository.objects.write('blob', side.bytes), undefined, at + 1),
        ),
      )
      index?.setConflict(path, [entries[0], entries[1], entries[2]])
    } else if (target !== 'files') index?.set(newEntry(path, image.mode, oid))
    else if (intendsToAdd && patch.kind === 'new')
      index?.set({ ...newEntry(path, image.mode, hashObject('blob', new Uint8Array())), isIntentToAdd: true })
    if (target === 'cached') return
    if (image.mode === modes.symlink) {
      changes.writeSymlink(this.#pathOf(path), decodeText(image.bytes))
      return
    }
    const bytes = repository === undefined ? image.bytes : await (await repository.workTree()).smudge(path, image.bytes, oid)
    changes.writeWorkFile(this.#pathOf(path), bytes, image.mode === modes.executable ? 0o755 : 0o644, stat => {
      const entry = index?.get(path)
      if (target === 'index' && entry?.oid === oid) index?.refresh({ ...entry, stat: indexStat(stat) })
    })
  }
}
