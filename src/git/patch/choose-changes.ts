// `-p`: asks about each hunk of some changes, and changes index and files by the answers.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { indexAgainst, workTree, workTreeAgainst } from '../commands/diff.ts'
import { acceptsUnedited } from '../commands/message.ts'
import { diffOptionRows } from '../diff/option-rows.ts'
import { ContentReader, type FilePair, pairOf } from '../diff/file-pair.ts'
import { DiffRenderer } from '../diff/render.ts'
import { readDiffSettings } from '../diff/settings.ts'
import type { FileChange, FileSide } from '../diff/tree-diff.ts'
import { failure } from '../errors.ts'
import { type GitIndex, newEntry } from '../index/git-index.ts'
import { parseOptions } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { emptyTreeId, modes, type ObjectId } from '../store/object-format.ts'
import type { Pathspec } from '../work/pathspec.ts'
import { checkPath, indexStat, makeRoom } from '../work/work-tree.ts'
import { Answers } from './answers.ts'
import { applyHunks } from './apply-hunks.ts'
import { type ChoosableHunk, choosable, reversedHunk, withHunks } from './choosable-hunk.ts'
import { type FileAnswer, HunkDialog } from './hunk-dialog.ts'
import { parsePatch, type PatchHunk } from './parse-patch.ts'
import { type PatchMode, patchModes, type PatchModeName } from './patch-modes.ts'

/** What the repository would store of a file. A submodule's text is its commit. */
interface FileContent {
  readonly mode: number
  readonly text: string
}

/** A change of a file of the work tree. */
export interface FileEdit {
  readonly path: string
  /** The file when its changes were shown. */
  readonly seen: FileContent | undefined
  /** The file after the change; `undefined` removes it. */
  readonly result: FileContent | undefined
  /** The same change, for a file that has changed since `seen`. */
  readonly hunks: readonly PatchHunk[]
}

/** A file of which changes were chosen. */
export interface ChosenFile extends FileEdit {
  /** For the stash: the file without the chosen changes. */
  readonly rest: FileContent | undefined
  /** What the side that is changed held before. */
  readonly now: FileContent | undefined
}

export interface PatchRequest {
  readonly mode: PatchModeName
  readonly pathspec: Pathspec
  /** What index or files are compared with, where the mode needs a tree. */
  readonly tree?: ObjectId | undefined
  /** Whether a chosen change is made. */
  readonly isWanted?: (file: ChosenFile, answers: Answers) => Promise<boolean>
}

/** Asks about all changes; returns the files of which something was chosen. */
export async function chooseChanges(
  call: GitCall,
  repository: Repository,
  request: PatchRequest,
): Promise<readonly ChosenFile[]> {
  const mode = patchModes[request.mode]
  const config = repository.config()
  const options = parseOptions({ rows: diffOptionRows, usage: '' }, ['-p', '--no-renames', '--no-color', '--submodule=short'])
  const settings = await readDiffSettings(options, { format: 'patch', config, prefix: repository.prefix, isPlumbing: true })
  const [left, right] = settings.prefixes
  // As of `diff -R`.
  const isTurned = mode.compares === 'files-tree' || mode.compares === 'index-tree'
  const renderer = new DiffRenderer(repository, { ...settings, prefixes: isTurned ? [right, left] : [left, right] })
  const changes = await comparedBy(repository, mode, request)
  // A stash of hunks leaves out files that the last commit lacks.
  const isKnown = ({ before }: FilePair): boolean => mode.changes !== 'stash' || before !== undefined
  const pairs = changes
    .map(pairOf)
    .filter(pair => pair.status !== 'U' && isKnown(pair))
    .flatMap(whole => halves(whole).map(half => ({ half, shown: mode.compares === 'files-tree' ? whole.before : whole.after })))
  const answers = new Answers(call)
  const chosen: ChosenFile[] = []
  let binaryCount = 0
  const reader = new ContentReader(repository)
  for (const { half, shown } of pairs) {
    // Read once: the file may change while questions about it are answered.
    const read = async (side: FileSide | undefined): Promise<FileSide | undefined> =>
      side?.isWorkTree === true && side.mode !== modes.submodule ? { ...side, bytes: await reader.read(side, half.path) } : side
    const pair = { ...half, before: await read(half.before), after: await read(half.after) }
    const seen = shown && { mode: shown.mode, text: decodeText(await reader.read(shown, half.path)) }
    const patch = await renderer.patch(pair)
    const question = questionOf(pair, typeof patch === 'string' ? patch : decodeText(patch))
    if (question === 'binary') {
      binaryCount++
      continue
    }
    if (question === undefined) continue
    const dialog = new HunkDialog(call, mode, question, acceptsUnedited(call, config))
    const answer = await dialog.run(() => answers.next())
    const file = answer.isTaken ? { ...(await chosenFile(reader, mode, pair, answer)), seen } : undefined
    if (file !== undefined && (await (request.isWanted?.(file, answers) ?? true))) chosen.push(file)
    await call.out.write('\n')
    if (answer.hasQuit) break
  }
  if (pairs.length === 0) await call.warn('No changes.')
  else if (binaryCount === pairs.length) await call.warn('Only binary files changed.')
  return chosen
}

/** The whole of `-p` for every command but `stash`. */
export async function runPatchMode(call: GitCall, repository: Repository, request: PatchRequest): Promise<number> {
  const mode = patchModes[request.mode]
  const index = await repository.readIndex()
  const isWanted = async (file: ChosenFile, answers: Answers): Promise<boolean> => {
    if (mode.changes === 'files' || (await changeInIndex(repository, index, file, mode.changes === 'index'))) return true
    await call.warn(`error: ${file.path}: patch does not apply\nThe selected hunks do not apply to the index!`)
    if (await answers.yes('Apply them to the worktree anyway? ')) return true
    await call.warn('Nothing was applied.\n')
    return false
  }
  const chosen = await chooseChanges(call, repository, { ...request, isWanted })
  const changes = new Changes()
  for (const file of mode.changes === 'index' ? [] : chosen) await editFile(repository, changes, index, file)
  if (chosen.length > 0) await repository.commit(changes, index)
  return 0
}

/** A change of kind is a deletion and an addition. */
function halves(pair: FilePair): readonly FilePair[] {
  return pair.status === 'T'
    ? [
        { ...pair, status: 'D', after: undefined },
        { ...pair, status: 'A', before: undefined },
      ]
    : [pair]
}

async function comparedBy(repository: Repository, mode: PatchMode, request: PatchRequest): Promise<readonly FileChange[]> {
  const { pathspec, tree } = request
  const isWanted = pathspec.isEmpty ? undefined : pathspec.filter
  const none = parseOptions({ rows: [], usage: '' }, [])
  const base = tree ?? emptyTreeId
  const reversed = (rows: readonly FileChange[]): readonly FileChange[] =>
    rows.map(({ path, before, after }) => ({ path, before: after, after: before }))
  switch (mode.compares) {
    case 'index-files':
      return (await workTree(repository, none, pathspec)).changes
    case 'tree-files':
      return (await workTreeAgainst(repository, none, base, isWanted)).changes
    case 'files-tree':
      return reversed((await workTreeAgainst(repository, none, base, isWanted)).changes)
    default: {
      const revision = { oid: base, text: base, isExcluded: false }
      const { changes } = await indexAgainst(repository, [revision], none, isWanted)
      return mode.compares === 'tree-index' ? changes : reversed(changes)
    }
  }
}

/** `undefined`: git asks nothing about it. */
function questionOf(pair: FilePair, patch: string): 'binary' | ConstructorParameters<typeof HunkDialog>[2] | undefined {
  if (patch === '') return undefined
  const [parsed] = parsePatch(patch, { strip: 1, recounts: false })
  if (parsed === undefined) return undefined
  if (parsed.binary !== undefined) return 'binary'
  const end = patch.indexOf('\n@@ -')
  const head = end === -1 ? patch : patch.slice(0, end + 1)
  const modeLines = /^old mode .*\nnew mode .*\n/m.exec(head)?.[0]
  const hunks = parsed.hunks.map(choosable)
  if (hunks.length === 0 && modeLines === undefined && pair.before !== undefined && pair.after !== undefined) return undefined
  if (pair.after === undefined) {
    const line = head.indexOf('\n') + 1
    return { head: head.slice(0, line), repeated: head.slice(line), hunks, kind: 'deletion' }
  }
  return {
    repeated: '',
    head: modeLines === undefined ? head : head.replace(modeLines, ''),
    hunks: modeLines === undefined ? hunks : [{ kind: 'mode', text: modeLines }, ...hunks],
    kind: pair.before === undefined ? 'addition' : 'change',
  }
}

async function chosenFile(
  reader: ContentReader,
  mode: PatchMode,
  pair: FilePair,
  answer: FileAnswer,
): Promise<Omit<ChosenFile, 'seen'>> {
  const { path, before, after } = pair
  const text = decodeText(await reader.read(before, path))
  const made = (choices: readonly ChoosableHunk[], isTaken: boolean): ChosenFile['result'] => {
    const hunks = choices.flatMap(choice => (choice.kind === 'lines' ? [choice.hunk] : []))
    const hasMode = choices.some(({ kind }) => kind === 'mode')
    if (isSubmodule(pair)) return sideOf(isTaken ? after : before)
    if (before === undefined) return isTaken ? { mode: after?.mode ?? modes.file, text: withHunks('', hunks) } : undefined
    if (after === undefined) return isTaken ? undefined : { mode: before.mode, text }
    return { mode: hasMode ? after.mode : before.mode, text: withHunks(text, hunks) }
  }
  const taken = made(answer.taken, true)
  const rest = made(answer.left, answer.left.length > 0)
  const now = made([...answer.taken, ...answer.left], true)
  const hunks = answer.taken.flatMap(choice => (choice.kind === 'lines' ? [choice.hunk] : []))
  return mode.isReverse
    ? { path, result: rest, rest: taken, now, hunks: hunks.map(reversedHunk) }
    : { path, result: taken, rest, now: made([], false), hunks }
}

function isSubmodule({ before, after }: FilePair): boolean {
  return before?.mode === modes.submodule || after?.mode === modes.submodule
}

function sideOf(side: FilePair['before']): ChosenFile['result'] {
  return side === undefined ? undefined : { mode: side.mode, text: side.oid }
}

async function setInIndex(repository: Repository, index: GitIndex, path: string, result: ChosenFile['result']): Promise<void> {
  if (result === undefined) index.remove(path)
  else if (result.mode === modes.submodule) index.set(newEntry(path, result.mode, result.text))
  else index.set(newEntry(path, result.mode, await repository.objects.write('blob', encodeText(result.text))))
}

/** Where the index holds another text than the file, the hunks must fit there too; returns false if they do not. */
async function changeInIndex(
  repository: Repository,
  index: GitIndex,
  { path, result, now, hunks }: ChosenFile,
  isCompared: boolean,
): Promise<boolean> {
  const entry = index.get(path)
  const isText = entry !== undefined && entry.mode !== modes.submodule
  const staged = isText ? decodeText(await repository.objects.readBlob(entry.oid)) : undefined
  if (isCompared || (staged === now?.text && entry?.mode === now?.mode)) {
    await setInIndex(repository, index, path, result)
    return true
  }
  if (staged === undefined || result === undefined || now === undefined || entry === undefined) return false
  const { text, rejected } = applyHunks(staged, hunks)
  if (rejected.length > 0 || (result.mode !== now.mode && entry.mode !== now.mode)) return false
  const mode = result.mode === now.mode ? entry.mode : result.mode
  await setInIndex(repository, index, path, { mode, text })
  return true
}

/**
 * Makes a change in the work tree. Questions take time: where the file has changed since it was shown, the hunks must fit what it holds
 * now, or nothing is changed.
 */
export async function editFile(repository: Repository, changes: Changes, index: GitIndex, edit: FileEdit): Promise<void> {
  const { path, seen } = edit
  const tree = await repository.workTree()
  checkPath(path)
  const stat = await tree.lstat(path)
  if (stat?.kind === 'file') changes.expect(tree.pathOf(path), stat.rev)
  const stored = await tree.readForRepository(path, stat, index)
  const current = stat && stored && { mode: tree.modeOf(stat, seen?.mode), text: decodeText(stored.bytes) }
  const isSeen = seen?.mode === modes.submodule || (current?.text === seen?.text && current?.mode === seen?.mode)
  const result = isSeen ? edit.result : fitted(edit, current)
  if (result === undefined) {
    if (stat !== undefined) changes.remove(tree.pathOf(path))
    const end = path.lastIndexOf('/')
    if (end !== -1) changes.removeEmptyDirectories(tree.pathOf(path.slice(0, end)), repository.root)
    return
  }
  if (result.mode === modes.submodule) return
  await makeRoom(tree, changes, path, result.mode)
  const oid = await repository.objects.write('blob', encodeText(result.text))
  await tree.checkOut(changes, path, result.mode, oid, written => {
    const entry = index.get(path)
    if (entry?.oid === oid && entry.mode === result.mode) index.refresh({ ...entry, stat: indexStat(written) })
  })
}

function fitted({ path, seen, result, hunks }: FileEdit, current: FileContent | undefined): FileContent {
  if (seen !== undefined && result !== undefined && current?.mode === seen.mode) {
    const { text, rejected } = applyHunks(current.text, hunks)
    if (rejected.length === 0) return { mode: result.mode, text }
  }
  throw failure(`${path} has changed since it was shown, and the chosen hunks do not fit it any more. Run the command again.`, 1)
}
