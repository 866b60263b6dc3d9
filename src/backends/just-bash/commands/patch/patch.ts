// patch: changes files by a diff. Each file gets all of its hunks or none: a partly patched file is neither the old nor the new
// version, and a caller that checks only the exit code would not notice.

import { latin1Bytes } from '../../encoding.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInput } from '../inputs.ts'
import { type Arguments, has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { replaceFile } from '../replace-file.ts'
import { bytesInParts, joinInParts, paceOf, unitsPerItem, type Pace } from '../pace.ts'
import { applyHunks, reversed, type Applied, type ApplyOptions } from './apply-hunks.ts'
import { parsePatch, type FilePatch, type Hunk } from './parse-patch.ts'
import { rejectsOf } from './rejects.ts'
import { chooseTarget, isDangerous, type Names } from './target.ts'
import { reasonOf } from '../../errno.ts'

const table: OptionTable = optionTable(`
  -p --strip: strip=, -i --input: input=, -R --reverse: reverse, --dry-run: dry-run, -N --forward: forward, -f --force: force,
  -t --batch: batch, -F --fuzz: fuzz=, -o --output: output=, -r --reject-file: rejects=, -d --directory: directory=,
  -b --backup: backup, --no-backup-if-mismatch: no-backup, -s --quiet --silent: quiet, -l --ignore-whitespace: blanks,
  -E --remove-empty-files: remove-empty, --binary: binary, -u --unified --posix --verbose: ignored
`)

interface Run {
  readonly parsed: Arguments
  readonly context: CommandContext
  /** The directory that relative names refer to. */
  readonly directory: string
  readonly isDryRun: boolean
  readonly isReverse: boolean
  readonly maxFuzz: number
  readonly strip: number | undefined
  readonly rejectFile: string | undefined
}

/** The messages about one file, and whether all of its hunks were applied. */
interface Outcome {
  readonly said: string
  readonly isDone: boolean
}

/**
 * `patch [-p N] [-i FILE] [-R] [--dry-run] [-N] [-F N] [-o FILE] [FILE [PATCH]]`. Exit codes: 0 if all hunks were applied, 1 if a
 * file was left unchanged, 2 for other errors.
 */
export async function patch(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return failed('patch', parsed, 2)
  const [file, patchFile, ...rest] = parsed.operands
  if (rest.length > 0) return failed('patch', `${rest[0] ?? ''}: extra operand; give one file and one patch`, 2)
  const [strip, maxFuzz] = [numberOf(parsed, 'strip'), numberOf(parsed, 'fuzz') ?? 2]
  if (Number.isNaN(strip) || Number.isNaN(maxFuzz)) return failed('patch', 'the values of -p and -F must be numbers', 2)
  const run: Run = {
    parsed,
    context,
    directory: context.fs.resolvePath(context.cwd, valueOf(parsed, 'directory') ?? '.'),
    isDryRun: has(parsed, 'dry-run'),
    isReverse: has(parsed, 'reverse'),
    maxFuzz,
    strip,
    rejectFile: valueOf(parsed, 'rejects'),
  }
  let files: readonly FilePatch[] | string
  try {
    const inDirectory = { ...context, cwd: run.directory }
    const bytes = await readInput(patchFile ?? valueOf(parsed, 'input') ?? '-', inDirectory)
    if (bytes.trim() === '') return bytesResult('')
    files = await parsePatch(bytes, { isBinary: has(parsed, 'binary') }, paceOf(context.signal))
  } catch (error) {
    return trouble(`Can't open patch file: ${reasonOf(error)}`)
  }
  if (typeof files === 'string') return trouble(files)
  if (files.length === 0)
    return trouble('Only garbage was found in the patch input; give a unified diff, as diff -u and git diff make it')
  if (file === undefined && files.some(({ oldName }) => oldName === ''))
    return trouble('the patch names no file; give the file first: patch FILE PATCH')
  const output = valueOf(parsed, 'output')
  if (files.length > 1 && (file !== undefined || output !== undefined))
    return trouble('a file is named, but the patch is for several; leave the name out')
  let [said, exitCode] = ['', 0]
  for (const each of files) {
    context.signal.throwIfAborted()
    const outcome = await patchFileOf(each, file, run)
    said += outcome.said
    if (!outcome.isDone) exitCode = 1
  }
  return bytesResult(has(parsed, 'quiet') && exitCode === 0 ? '' : bytesOfArgument(said), '', exitCode)
}

function trouble(problem: string): CommandResult {
  return { stdout: '', stderr: `patch: **** ${problem}\n`, exitCode: 2 }
}

function numberOf(parsed: Arguments, name: string): number | undefined {
  const value = valueOf(parsed, name)
  return value === undefined ? undefined : /^\d+$/.test(value) ? Number(value) : Number.NaN
}

async function patchFileOf(written: FilePatch, named: string | undefined, run: Run): Promise<Outcome> {
  const filePatch = run.isReverse ? turned(written) : written
  const { fs } = run.context
  const names = await chooseTarget(filePatch, named, run, path => fs.exists(fs.resolvePath(run.directory, path)))
  if (names === undefined) return notFound(filePatch)
  const dangerous = [names.from, names.to].find(isDangerous)
  if (named === undefined && dangerous !== undefined)
    return { said: `Ignoring potentially dangerous file name ${dangerous}\n${ignored(filePatch.hunks)}`, isDone: false }
  const from = fs.resolvePath(run.directory, names.from)
  const isThere = await fs.exists(from)
  const irregular = `File ${names.from} is not a regular file -- refusing to patch\n${ignored(filePatch.hunks)}`
  if (isThere) {
    const { isFile, isSymbolicLink } = await fs.lstat(from)
    if (!isFile || isSymbolicLink) return { said: irregular, isDone: false }
  }
  const said = announcement(names, filePatch, run)
  if (filePatch.isBinary)
    return { said: `${said}File ${names.to}: git binary diffs are not supported here; use git apply\n`, isDone: false }
  const before = isThere ? await readInput(names.from, { ...run.context, cwd: run.directory }) : ''
  const options = {
    maxFuzz: run.maxFuzz,
    ignoresBlanks: has(run.parsed, 'blanks'),
    looksForReversed: forceOf(run, false) !== 'as written',
  }
  const pace = paceOf(run.context.signal)
  const lines = await linesOf(before, pace)
  const creates = filePatch.oldName === undefined && before !== ''
  const force = forceOf(run, creates)
  const applied = await applyHunks(lines, creates ? filePatch.hunks.map(never) : filePatch.hunks, options, pace)
  const isReversed = creates || applied.looksReversed
  const warning = isReversed ? reversedWarning(names, creates, run) : ''
  const place: Place = { names, isThere, before, options, warning, isCreation: creates }
  if (isReversed && force === 'turned') return applyTurned(turned(filePatch), lines, place, run)
  const forced = creates && force === 'as written' ? `${warning}  Applying it anyway.\n${said}` : said
  if (creates || applied.results.some(({ kind }) => kind === 'failed'))
    return refuse(place, filePatch, { ...applied, looksReversed: isReversed && force !== 'as written' }, forced, run)
  if (!run.isDryRun) await store(names, filePatch, { before, isThere, applied }, run)
  return leaves(filePatch, applied, names, said)
}

/** A file that the patch removes is kept if something is left of it. */
function leaves({ newName }: FilePatch, applied: Applied, { to }: Names, said: string): Outcome {
  const isLeft = newName === undefined && applied.lines.length > 0
  const left = isLeft ? `Not deleting file ${to} as content differs from patch\n` : ''
  return { said: said + remarks(applied) + left, isDone: !isLeft }
}

/** What is done with a patch that looks reversed or applied already. */
type Force = 'skipped' | 'turned' | 'as written'

/** A patch that creates a file that is there is skipped by -N, even with -f. */
function forceOf({ parsed }: Run, isCreation: boolean): Force {
  if (has(parsed, 'forward') && (isCreation || !has(parsed, 'force'))) return 'skipped'
  return has(parsed, 'force') ? 'as written' : has(parsed, 'batch') ? 'turned' : 'skipped'
}

/** What is known of the file of a patch before it is changed. */
interface Place {
  readonly names: Names
  readonly isThere: boolean
  readonly before: string
  readonly options: ApplyOptions
  /** Says that the patch looks reversed; empty if it does not. */
  readonly warning: string
  /** The patch creates a file that is there. */
  readonly isCreation: boolean
}

/** A hunk that is found nowhere. */
function never(hunk: Hunk): Hunk {
  return { ...hunk, lines: [{ mark: '-', text: '' }, ...hunk.lines] }
}

function reversedWarning({ to }: Names, isCreation: boolean, { isReverse }: Run): string {
  if (!isCreation) return `${isReverse ? 'Unreversed' : 'Reversed (or previously applied)'} patch detected!`
  return `The next patch${isReverse ? ', when reversed,' : ''} would create the file ${to},\nwhich already exists!`
}

/** GNU patch asks what to do with such a patch; without a terminal nobody answers. */
function unanswered({ parsed, isReverse }: Run): string {
  if (has(parsed, 'forward') || has(parsed, 'force') || has(parsed, 'batch')) return ''
  return `${isReverse ? 'Ignore' : 'Assume'} -R? [n] \nApply anyway? [n] \n`
}

/** Applies the hunks the other way round, because the patch looks reversed. */
async function applyTurned(filePatch: FilePatch, lines: readonly string[], place: Place, run: Run): Promise<Outcome> {
  const { names, isThere, before, options, warning, isCreation } = place
  const assumption = `${warning}  ${run.isReverse ? 'Ignoring' : 'Assuming'} -R.\n`
  const announced = announcement(names, filePatch, run)
  const said = isCreation ? assumption + announced : announced + assumption
  const hunks = filePatch.oldName === undefined && before !== '' ? filePatch.hunks.map(never) : filePatch.hunks
  const applied = await applyHunks(lines, hunks, { ...options, looksForReversed: false }, paceOf(run.context.signal))
  if (applied.results.some(({ kind }) => kind === 'failed')) return refuse(place, filePatch, applied, said, run)
  if (!run.isDryRun) await store(names, filePatch, { before, isThere, applied, isInexact: !isCreation }, run)
  return leaves(filePatch, applied, names, said)
}

function turned(file: FilePatch): FilePatch {
  return { ...file, oldName: file.newName, newName: file.oldName, hunks: file.hunks.map(reversed) }
}

/** The lines with their newlines. */
async function linesOf(bytes: string, pace: Pace): Promise<string[]> {
  const lines: string[] = []
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = bytes.indexOf('\n', from) + 1 || bytes.length
    lines.push(bytes.slice(from, to))
    if (pace.isDue(to - from + unitsPerItem)) await pace.rest()
  }
  return lines
}

function announcement({ from, to, moves }: Names, { isStripped }: FilePatch, { isDryRun, parsed }: Run): string {
  const output = valueOf(parsed, 'output')
  const moved = moves === undefined || from === to ? '' : ` (${moves === 'rename' ? 'renamed' : 'copied'} from ${from})`
  const elsewhere = output === undefined ? '' : ` (read from ${from})`
  const stripped = isStripped ? '(Stripping trailing CRs from patch; use --binary to disable.)\n' : ''
  return `${stripped}${isDryRun ? 'checking' : 'patching'} file ${output ?? to}${moved}${elsewhere}\n`
}

function remarks({ results }: Applied): string {
  const lines = results.map((result, index) => {
    if (result.kind === 'failed' || (result.fuzz === 0 && result.offset === 0)) return ''
    const { lineNumber, fuzz, offset } = result
    const moved = offset === 0 ? '' : ` (offset ${offset} line${Math.abs(offset) === 1 ? '' : 's'})`
    return `Hunk #${index + 1} succeeded at ${lineNumber}${fuzz === 0 ? '' : ` with fuzz ${fuzz}`}${moved}.\n`
  })
  return lines.join('')
}

function ignored(hunks: FilePatch['hunks']): string {
  return `${hunks.length} out of ${counted(hunks.length)} ignored\n`
}

function counted(count: number): string {
  return `${count} hunk${count === 1 ? '' : 's'}`
}

function notFound({ oldName, newName, lineNumber, hunks }: FilePatch): Outcome {
  const names = [oldName, newName].filter(name => name !== undefined).join(' and ')
  const hint = `Named are ${names}; give -p with the number of directories to leave off (1 for a/ and b/ of git), or -d with where they begin.`
  return {
    said: `can't find file to patch at input line ${lineNumber}\nPerhaps you used the wrong -p or --strip option?\n${hint}\nSkipping patch.\n${ignored(hunks)}`,
    isDone: false,
  }
}

/** Leaves the file unchanged and writes all of its hunks to the reject file. */
async function refuse(
  { names: { from, to }, warning, isCreation }: Place,
  filePatch: FilePatch,
  { results, looksReversed }: Applied,
  said: string,
  run: Run,
): Promise<Outcome> {
  const { fs } = run.context
  const total = filePatch.hunks.length
  const failures = results.flatMap((result, index) => (result.kind === 'failed' ? [{ ...result, index }] : []))
  const isSkipped = looksReversed && isCreation
  const kept = run.rejectFile === '-' || run.isDryRun || isSkipped ? undefined : (run.rejectFile ?? `${to}.rej`)
  const saving = kept === undefined ? '' : ` -- saving rejects to file ${kept}`
  if (kept !== undefined) {
    const path = fs.resolvePath(run.directory, kept)
    const [old, fresh] = filePatch.oldName === '' ? ['/dev/null', '/dev/null'] : [from, to]
    await fs.writeFile(path, latin1Bytes(rejectsOf(old, fresh, filePatch.hunks)))
  }
  if (looksReversed)
    return {
      said: `${isCreation ? '' : said}${warning}  ${unanswered(run)}Skipping patch.\n${total} out of ${counted(total)} ignored${saving}\n`,
      isDone: false,
    }
  const lines = results.map((result, index) =>
    result.kind === 'failed' ? `Hunk #${index + 1} FAILED at ${Math.max(1, result.lineNumber)}.\n` : '',
  )
  const others = failures.length === total ? '' : `${to} was left as it was: a file is changed by all of its hunks or by none.\n`
  return { said: `${said}${lines.join('')}${failures.length} out of ${counted(total)} FAILED${saving}\n${others}`, isDone: false }
}

function isMoved({ results }: Applied): boolean {
  return results.some(result => result.kind === 'applied' && (result.fuzz > 0 || result.offset !== 0))
}

interface Change {
  readonly before: string
  readonly isThere: boolean
  readonly applied: Applied
  /** The file was not the one that the patch was made from. */
  readonly isInexact?: boolean
}

async function store(
  { from, to, moves }: Names,
  { newName, mode }: FilePatch,
  { before, isThere, applied, isInexact = isMoved(applied) }: Change,
  { context, directory, parsed }: Run,
): Promise<void> {
  const { fs } = context
  const [source, target] = [from, valueOf(parsed, 'output') ?? to].map(name => fs.resolvePath(directory, name))
  if (source === undefined || target === undefined) throw new Error('unreachable: two names are two paths')
  const pace = paceOf(context.signal)
  const after = await joinInParts(applied.lines, '', pace)
  const isKept = has(parsed, 'backup') || (isInexact && !has(parsed, 'no-backup'))
  // Other names of the file keep its content.
  const isReplaced = isThere && source === target && (await fs.lstat(target)).nlink > 1
  if (isKept && isReplaced) {
    await fs.rm(`${target}.orig`, { force: true })
    await fs.link(target, `${target}.orig`)
  } else if (isKept && isThere) await fs.writeFile(`${target}.orig`, await bytesInParts(before, pace))
  const isRemoved = after === '' && (newName === undefined || has(parsed, 'remove-empty')) && !has(parsed, 'output')
  if (isRemoved && isThere) {
    await fs.rm(source)
    return
  }
  const slash = target.lastIndexOf('/')
  if (slash > 0) await fs.mkdir(target.slice(0, slash), { recursive: true })
  const oldMode = isThere ? (await fs.stat(source)).mode & 0o777 : undefined
  const newMode = mode === undefined ? oldMode : mode & 0o777
  const content = await bytesInParts(after, pace)
  if (isReplaced && after !== before) await replaceFile(fs, target, content, oldMode ?? 0o644)
  else if (source !== target || !isThere || after !== before) await fs.writeFile(target, content)
  if (newMode !== undefined) await fs.chmod(target, newMode)
  if (moves === 'rename' && source !== target) await fs.rm(source)
}
