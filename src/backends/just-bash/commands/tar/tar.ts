// tar over the shell's filesystem. The library modern-tar reads and writes the format; this module decides which files to archive
// and where members may be extracted.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesInParts, byteTextInParts, paceOf, type Pace } from '../pace.ts'
import { gunzipInParts } from '../../gzip.ts'
import { archiveOf, partsOf } from './change.ts'
import { compareMembers } from './compare.ts'
import { createArchive } from './create.ts'
import { extractMembers, type Member } from './extract.ts'
import { chooser, looksLikePattern, stripped } from './names.ts'
import { longLine, nameLine, saidOf } from './listing.ts'
import { parseTarOptions, type TarOptions } from './options.ts'
import { transformer } from './transform.ts'
import { excluderOf, namesOf } from './wanted-names.ts'
import { reasonOf } from '../../errno.ts'

/** The size limit of an archive, because all of it is held in memory. */
const maxArchiveBytes = 512 * 1024 * 1024
const maxMembers = 200_000

/** Exit codes: 0 on success, 2 if anything failed; standard error has the reasons. */
export async function tar(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  let options: TarOptions | string
  try {
    options = parseTarOptions(args)
  } catch (error) {
    options = error instanceof Error ? error.message : String(error)
  }
  if (typeof options === 'string')
    return failed('tar', `${options}\nUsage: tar -c|-x|-t|-d|-r|-u|--delete [-zvf ARCHIVE] [-C DIRECTORY] [NAME]...`, 2)
  try {
    // Also a mode that transforms no name refuses a wrong expression.
    transformer(options.transforms)
    if (options.mode === 'create') return await createArchive(options, context, maxArchiveBytes)
    if (/^(?:append|update|concatenate)$/.test(options.mode)) return await addToArchive(options, context)
    return await readArchive(options, context)
  } catch (error) {
    return failed('tar', error instanceof Error ? error.message : String(error), 2)
  }
}

async function addToArchive(options: TarOptions, context: CommandContext): Promise<CommandResult> {
  const { fs, cwd, signal } = context
  if (options.archive === '-') throw new Error('-A, -r and -u change a file: name it with -f')
  await refusePacked(options, new Uint8Array())
  const path = fs.resolvePath(cwd, options.archive)
  const bytes = (await fs.exists(path)) ? await fs.readFileBuffer(path) : new Uint8Array()
  await refusePacked(options, bytes)
  const members = bytes.length === 0 ? [] : await unpack(bytes, options, paceOf(signal))
  if (options.mode === 'concatenate') {
    const parts = [...partsOf(bytes, members)]
    for (const { name, directory } of options.names) {
      const added = await fs.readFileBuffer(fs.resolvePath(fs.resolvePath(cwd, directory), name))
      await refusePacked(options, added)
      parts.push(...partsOf(added, await unpack(added, options, paceOf(signal))))
    }
    await fs.writeFile(path, archiveOf(parts, new Uint8Array(2 * 512)))
    return { stdout: '', stderr: '', exitCode: 0 }
  }
  return createArchive(options, context, maxArchiveBytes - bytes.length, { members, parts: partsOf(bytes, members) })
}

async function refusePacked({ gzip }: TarOptions, bytes: Uint8Array): Promise<void> {
  const { formatOf } = await import('../rarer/unpack.ts')
  if (gzip === true || (bytes[0] === 0x1f && bytes[1] === 0x8b) || formatOf(bytes) !== undefined)
    throw new Error('Cannot update compressed archives; unpack it before')
}

async function readArchive(options: TarOptions, context: CommandContext): Promise<CommandResult> {
  const { fs, cwd } = context
  const pace = paceOf(context.signal)
  const packed =
    options.archive === '-'
      ? await bytesInParts(await context.readStdin(), pace)
      : await fs.readFileBuffer(fs.resolvePath(cwd, options.archive)).catch((error: unknown) => {
          throw new Error(`${options.archive}: Cannot open: ${reasonOf(error)}`)
        })
  if (packed.length === 0) throw new Error('this does not look like a tar archive: it is empty')
  if (options.mode === 'delete') await refusePacked(options, packed)
  const members = await unpack(packed, options, pace)
  const names = await namesOf(options, context)
  const isChosen = chooser(names)
  const isExcluded = await excluderOf(options, context)
  const chosen = members.filter(({ header: { name } }) => isChosen(name) && !isExcluded(name))
  const missing = names.filter(wanted => !members.some(member => chooser([wanted])(member.header.name)))
  const notFound = missing.map(
    ({ name, isPattern }) =>
      `tar: ${name}: Not found in archive${!isPattern && looksLikePattern(name) ? '; to use it as a pattern, give --wildcards before it' : ''}\n`,
  )
  if (options.mode === 'delete') {
    const gone = new Set<Member | undefined>(names.length === 0 ? [] : chosen)
    const parts = partsOf(packed, members).filter((_, index) => !gone.has(members[index]))
    const bytes = archiveOf(parts, new Uint8Array(2 * 512))
    const exitCode = notFound.length === 0 ? 0 : 2
    if (options.archive === '-')
      return { stdout: await byteTextInParts(bytes, pace), stdoutKind: 'bytes', stderr: notFound.join(''), exitCode }
    await fs.writeFile(fs.resolvePath(cwd, options.archive), bytes)
    return { stdout: '', stderr: notFound.join(''), exitCode }
  }
  if (options.mode === 'list') {
    const transform = transformer(options.showsTransformed ? options.transforms : [])
    const lines = chosen.map(({ header }) => {
      const shown = { ...header, name: transform(header.name.replace(/\/+$/, ''), 'member') }
      return options.verbosity > 0 ? longLine(shown) : nameLine(shown)
    })
    return { stdout: lines.join(''), stderr: notFound.join(''), exitCode: notFound.length === 0 ? 0 : 2 }
  }
  if (options.mode === 'compare') {
    const { stdout, stderr, exitCode } = await compareMembers(chosen, options, context)
    return { stdout, stderr: notFound.join('') + stderr, exitCode: notFound.length === 0 ? exitCode : 2 }
  }
  if (options.toStdout) {
    const kept = chosen.filter(({ header }) => stripped(header.name, options.stripComponents) !== '')
    let stdout = ''
    for (const { data } of kept) if (data !== undefined) stdout += await byteTextInParts(data, pace)
    return { stdout, stdoutKind: 'bytes', stderr: notFound.join(''), exitCode: notFound.length === 0 ? 0 : 2 }
  }
  const { shown, problems } = await extractMembers(chosen, options, context)
  const stderr = [...notFound, ...problems.map(problem => `tar: ${problem}\n`)].join('')
  return { stdout: saidOf(options, shown), stderr, exitCode: stderr === '' ? 0 : 2 }
}

async function unpack(packed: Uint8Array, { gzip, format }: TarOptions, pace: Pace): Promise<readonly Member[]> {
  const isGzip = packed[0] === 0x1f && packed[1] === 0x8b
  if (gzip === true && !isGzip) throw new Error('this is not in gzip format; leave out -z')
  const { formatOf, unpack: unpackAs } = await import('../rarer/unpack.ts')
  const found = formatOf(packed)
  if (format !== undefined && format !== found) throw new Error(`this is not in ${format} format; leave out the option for it`)
  const bytes = isGzip
    ? await gunzipInParts(packed, pace, { maxOutputLength: maxArchiveBytes })
    : found === undefined
      ? packed
      : await unpackAs(found, packed, pace, maxArchiveBytes)
  if (bytes.length > maxArchiveBytes) throw new Error(`the archive is larger than ${maxArchiveBytes} bytes`)
  const { unpackTar } = await import('modern-tar')
  const members = await unpackTar(bytes, { strict: true })
  if (members.length > maxMembers) throw new Error(`the archive has more than ${maxMembers} members`)
  return members
}
