// The commands of this shell. This file has only their names and help texts; the code of each command is loaded at its first call.

import type { ShellCommandDefinition } from '../../../shell/commands.ts'
import { withAbout } from './about.ts'
import type { OwnCommand } from './command.ts'
import { lazy } from './lazy.ts'

const files = (): Promise<typeof import('./fs/files.ts')> => import('./fs/files.ts')
const names = (): Promise<typeof import('./utilities/names.ts')> => import('./utilities/names.ts')
const tabFilters = (): Promise<typeof import('./text/tab-filters.ts')> => import('./text/tab-filters.ts')
const sortedInputs = (): Promise<typeof import('./text/join.ts')> => import('./text/join.ts')
const space = (): Promise<typeof import('./fs/space.ts')> => import('./fs/space.ts')
const digests = (): Promise<typeof import('./utilities/digests.ts')> => import('./utilities/digests.ts')
const identity = (): Promise<typeof import('./rarer/identity.ts')> => import('./rarer/identity.ts')
const gzipModule = (): Promise<typeof import('./utilities/gzip.ts')> => import('./utilities/gzip.ts')

/** A command that works on its whole input at once. */
function buffered(name: string, help: string, load: () => Promise<OwnCommand['run']>): ShellCommandDefinition {
  return lazy(name, help, async () => {
    const [{ runBuffered }, run] = await Promise.all([import('./buffered.ts'), load()])
    return context => runBuffered(name, run, context)
  })
}

const programs: readonly ShellCommandDefinition[] = [
  lazy('basename', 'Prints the last name of a path.', async () => (await names()).basename),
  lazy('base32', 'Encodes and decodes base32.', async () => (await import('./utilities/base32.ts')).base32),
  lazy('base64', 'Encodes and decodes base64.', async () => (await digests()).base64),
  lazy('bc', 'Calculates with as many digits as are asked for.', async () => (await import('./bc/bc.ts')).bc),
  lazy('cat', 'Prints files.', async () => (await import('./fs/cat.ts')).cat),
  lazy('chmod', 'Changes permission bits.', async () => (await files()).chmod),
  lazy('cksum', 'Prints a checksum and the size of files.', async () => (await digests()).cksum),
  lazy('clear', 'Does nothing here.', async () => (await names()).clear),
  lazy('column', 'Arranges lines in columns.', async () => (await import('./text/column.ts')).column),
  lazy('comm', 'Compares two sorted files.', async () => (await sortedInputs()).comm),
  lazy('cp', 'Copies files and directories.', async () => (await files()).cp),
  lazy('df', 'Names the file system; its size is not known here.', async () => (await import('./fs/df.ts')).df),
  lazy('dirname', 'Prints a path without its last name.', async () => (await names()).dirname),
  lazy('du', 'Prints how much space files take.', async () => (await space()).du),
  lazy('env', 'Prints the environment, or runs a command in another.', async () => (await names()).env),
  lazy('expand', 'Turns tabs into spaces.', async () => (await tabFilters()).expand),
  lazy('expr', 'Evaluates an expression.', async () => (await import('./utilities/expr.ts')).expr),
  lazy('envsubst', 'Puts the values of variables into a text.', async () => (await import('./utilities/envsubst.ts')).envsubst),
  lazy('factor', 'Prints the prime factors of numbers.', async () => (await import('./utilities/factor.ts')).factor),
  lazy('file', 'Says what kind of content files have.', async () => (await import('./utilities/file.ts')).file),
  lazy('fmt', 'Fills paragraphs up to a width.', async () => (await import('./utilities/fmt.ts')).fmt),
  lazy('numfmt', 'Shows and reads numbers with units.', async () => (await import('./utilities/numfmt.ts')).numfmt),
  lazy('fold', 'Breaks long lines.', async () => (await import('./text/fold.ts')).fold),
  lazy('gunzip', 'Unpacks .gz files.', async () => {
    const { gzip } = await gzipModule()
    return context => gzip('gunzip', context)
  }),
  lazy('gzip', 'Packs files as .gz.', async () => {
    const { gzip } = await gzipModule()
    return context => gzip('gzip', context)
  }),
  lazy('hostname', 'Prints localhost.', async () => (await names()).hostname),
  lazy('id', 'Prints the user.', async () => (await names()).id),
  lazy('install', 'Copies files and sets their mode.', async () => (await files()).install),
  lazy('join', 'Joins two sorted files by a field.', async () => (await sortedInputs()).join),
  lazy('link', 'Makes a hard link.', async () => (await files()).link),
  lazy('ln', 'Makes links.', async () => (await files()).ln),
  ...Object.entries({ ls: [], dir: ['-C', '-b'], vdir: ['-l', '-b'] }).map(([name, before]) =>
    lazy(name, 'Lists directories.', async () => {
      const { ls } = await import('./fs/ls.ts')
      return context => ls(context, name, before)
    }),
  ),
  lazy('mkdir', 'Makes directories.', async () => (await files()).mkdir),
  lazy('mv', 'Moves and renames files.', async () => (await files()).mv),
  lazy('nice', 'Runs a command.', async () => (await names()).nice),
  lazy('nl', 'Numbers lines.', async () => (await import('./text/nl.ts')).nl),
  lazy('nohup', 'Runs a command.', async () => (await names()).nohup),
  lazy('nproc', 'Prints 1.', async () => (await names()).nproc),
  lazy('printenv', 'Prints variables of the environment.', async () => (await names()).printenv),
  lazy('readlink', 'Prints what a link leads to.', async () => (await names()).readlink),
  lazy('rev', 'Turns each line around.', async () => (await import('./text/rev.ts')).rev),
  lazy('rm', 'Removes files and directories.', async () => (await files()).rm),
  lazy('rmdir', 'Removes empty directories.', async () => (await files()).rmdir),
  lazy('seq', 'Prints numbers.', async () => (await import('./text/seq.ts')).seq),
  lazy('shuf', 'Prints lines in random order.', async () => (await import('./text/shuf.ts')).shuf),
  lazy('shasum', 'Prints and checks sums of files, by -a.', async () => (await digests()).shasum),
  lazy('setsid', 'Runs a command.', async () => (await import('./utilities/wrappers.ts')).setsid),
  lazy('sleep', 'Waits.', async () => (await names()).sleep),
  lazy('split', 'Cuts a file into pieces.', async () => (await import('./text/split.ts')).split),
  lazy('stdbuf', 'Runs a command.', async () => (await import('./utilities/wrappers.ts')).stdbuf),
  lazy('strings', 'Prints the texts in a binary file.', async () => (await import('./text/strings.ts')).strings),
  lazy('sum', 'Prints a sum of 16 bits and the blocks of files.', async () => (await import('./utilities/sum.ts')).sum),
  lazy('tee', 'Copies its input to files and to its output.', async () => (await import('./utilities/tee.ts')).tee),
  lazy('timeout', 'Runs a command for a limited time.', async () => (await import('./timeout.ts')).timeout),
  lazy('tree', 'Draws a directory as a tree.', async () => (await import('./fs/tree.ts')).tree),
  lazy('truncate', 'Sets the size of files.', async () => (await space()).truncate),
  lazy('uname', 'Prints Linux.', async () => (await names()).uname),
  lazy('unexpand', 'Turns spaces into tabs.', async () => (await tabFilters()).unexpand),
  lazy('unlink', 'Removes a file.', async () => (await files()).unlink),
  lazy('which', 'Prints where a command is.', async () => (await names()).which),
  lazy('whoami', 'Prints the user.', async () => (await names()).whoami),
  lazy('xargs', 'Runs a command with arguments that it reads.', async () => (await import('./xargs.ts')).xargs),
  lazy('zcat', 'Prints .gz files.', async () => {
    const { gzip } = await gzipModule()
    return context => gzip('zcat', context)
  }),
  ...(['b2sum', 'md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum'] as const).map(name =>
    lazy(name, 'Prints and checks sums of files.', async () => {
      const { digest } = await digests()
      return context => digest(name, context)
    }),
  ),
  ...(['awk', 'gawk'] as const).map(name =>
    lazy(name, 'Processes records and fields by a program.', async () => {
      const { awk } = await import('./awk/awk.ts')
      return context => awk.run(context)
    }),
  ),
  lazy('cmp', 'Compares files byte by byte.', async () => (await import('./text/cmp.ts')).cmp),
  lazy('csplit', 'Cuts a file at lines that match.', async () => (await import('./text/csplit.ts')).csplit),
  lazy('cut', 'Prints fields or characters of lines.', async () => (await import('./text/cut.ts')).cut),
  lazy('date', 'Prints a time.', async () => (await import('./date/date.ts')).date),
  buffered('dd', 'Copies blocks of bytes.', async () => (await import('./dd.ts')).dd),
  buffered('diff', 'Compares files and directories.', async () => (await import('./text/diff.ts')).diff),
  lazy('egrep', 'grep -E.', async () => {
    const { grep } = await import('./grep/grep.ts')
    return context => grep(context, ['-E'])
  }),
  lazy('fgrep', 'grep -F.', async () => {
    const { grep } = await import('./grep/grep.ts')
    return context => grep(context, ['-F'])
  }),
  buffered('find', 'Finds files by name, kind, size and time.', async () => (await import('./find/find.ts')).find),
  lazy('grep', 'Prints lines that match.', async () => (await import('./grep/grep.ts')).grep),
  lazy('head', 'Prints the beginning of files.', async () => (await import('./text/head.ts')).head),
  lazy('hexdump', 'Prints bytes in hexadecimal.', async () => (await import('./text/od.ts')).hexdump),
  lazy('hd', 'Prints bytes in hexadecimal and as text.', async () => {
    const { hexdump } = await import('./text/od.ts')
    return context => hexdump({ ...context, args: ['-C', ...context.args] })
  }),
  lazy('jq', 'Processes JSON.', async () => {
    const { jq } = await import('./jq/jq.ts')
    return context => jq.run(context)
  }),
  buffered('mktemp', 'Makes a temporary file or directory.', async () => (await import('./mktemp.ts')).mktemp),
  lazy('od', 'Prints bytes.', async () => (await import('./text/od.ts')).od),
  lazy('paste', 'Joins lines of files.', async () => (await import('./text/paste.ts')).paste),
  buffered('patch', 'Applies a diff.', async () => (await import('./patch/patch.ts')).patch),
  buffered('realpath', 'Prints a path without links.', async () => (await import('./realpath.ts')).realpath),
  lazy('sed', 'Edits a stream by a script.', async () => {
    const { sed } = await import('./sed/sed.ts')
    return context => sed.run(context)
  }),
  buffered('sort', 'Sorts lines.', async () => (await import('./text/sort.ts')).sort),
  buffered('stat', 'Prints what is known about files.', async () => (await import('./stat.ts')).stat),
  buffered('tac', 'Prints lines from the last to the first.', async () => (await import('./text/tac.ts')).tac),
  lazy('tail', 'Prints the end of files.', async () => (await import('./text/head.ts')).tail),
  buffered('tar', 'Packs and unpacks archives.', async () => (await import('./tar/tar.ts')).tar),
  buffered('touch', 'Makes files and sets their times.', async () => (await import('./touch.ts')).touch),
  lazy('tr', 'Replaces and deletes characters.', async () => (await import('./text/tr.ts')).tr),
  lazy('uniq', 'Drops repeated lines.', async () => (await import('./text/uniq.ts')).uniq),
  lazy('tsort', 'Orders names so that each comes before what needs it.', async () => (await import('./text/tsort.ts')).tsort),
  buffered('unzip', 'Unpacks .zip files.', async () => (await import('./zip/unzip.ts')).unzip),
  buffered('wc', 'Counts lines, words and bytes.', async () => (await import('./text/wc.ts')).wc),
  lazy('xxd', 'Prints bytes in hexadecimal, and back.', async () => (await import('./text/xxd.ts')).xxd),
  buffered('zip', 'Packs files as .zip.', async () => (await import('./zip/zip.ts')).zip),
  ...rarerPrograms(),
  lazy('yes', 'Repeats a line.', async () => (await import('./yes.ts')).yes),
]

/** Commands that a small bundle may leave out. */
function rarerPrograms(): readonly ShellCommandDefinition[] {
  return [
    lazy('arch', 'Prints x86_64.', async () => (await identity()).arch),
    lazy(
      'basenc',
      'Encodes and decodes base64, base32, base16 and others.',
      async () => (await import('./rarer/basenc.ts')).basenc,
    ),
    ...(['chgrp', 'chown'] as const).map(name =>
      lazy(name, 'Sets the owner of files, which is always the user.', async () => {
        const { changeOwner } = await identity()
        return context => changeOwner(name, context)
      }),
    ),
    ...(
      [
        ['bunzip2', 'bzip2'],
        ['bzcat', 'bzip2'],
        ['bzip2', 'bzip2'],
        ['unxz', 'xz'],
        ['xz', 'xz'],
        ['xzcat', 'xz'],
        ['unzstd', 'zstd'],
        ['zstd', 'zstd'],
        ['zstdcat', 'zstd'],
      ] as const
    ).map(([name, format]) =>
      lazy(name, `Unpacks ${format} files.`, async () => {
        const { unpackFiles } = await import('./rarer/unpack.ts')
        return context => unpackFiles(name, format, context)
      }),
    ),
    lazy('col', 'Takes backspaces out of a text.', async () => (await import('./rarer/col.ts')).col),
    ...(['dos2unix', 'unix2dos'] as const).map(name =>
      lazy(name, 'Changes line endings.', async () => {
        const { convertLineEndings } = await import('./rarer/line-endings.ts')
        return context => convertLineEndings(name, context)
      }),
    ),
    lazy(
      'flock',
      'Runs a command while no other job of the script holds a lock.',
      async () => (await import('./rarer/flock.ts')).flock,
    ),
    lazy('getopt', 'Parses the options of a script.', async () => (await import('./rarer/getopt.ts')).getopt),
    lazy('groups', 'Prints the user.', async () => (await identity()).groups),
    lazy('iconv', 'Converts texts to another encoding.', async () => (await import('./rarer/iconv.ts')).iconv),
    lazy('less', 'Prints files.', async () => (await import('./rarer/pager.ts')).less),
    lazy('logname', 'Says that nobody is logged in.', async () => (await identity()).logname),
    lazy('look', 'Prints lines that begin with a word.', async () => (await import('./rarer/look.ts')).look),
    lazy('more', 'Prints files.', async () => (await import('./rarer/pager.ts')).more),
    lazy('pathchk', 'Checks the names of files.', async () => (await import('./rarer/pathchk.ts')).pathchk),
    lazy('pr', 'Sets text in pages and columns.', async () => (await import('./rarer/pr.ts')).pr),
    lazy('rgrep', 'grep -r.', async () => {
      const { grep } = await import('./grep/grep.ts')
      return context => grep(context, ['-r'])
    }),
    lazy('sdiff', 'Compares files side by side.', async () => (await import('./rarer/sdiff.ts')).sdiff),
    lazy('sponge', 'Reads all of its input, then writes a file.', async () => (await import('./rarer/sponge.ts')).sponge),
    lazy('sync', 'Does nothing here.', async () => (await identity()).sync),
    lazy('tput', 'Prints the size of a terminal.', async () => (await identity()).tput),
    lazy('tty', 'Says that there is no terminal.', async () => (await identity()).tty),
    lazy('users', 'Says that nobody is logged in.', async () => (await identity()).who),
    lazy('uuidgen', 'Prints a random identifier.', async () => (await import('./rarer/uuidgen.ts')).uuidgen),
    lazy('who', 'Says that nobody is logged in.', async () => (await identity()).who),
    ...Object.entries({ zgrep: [], zegrep: ['-E'], zfgrep: ['-F'] }).map(([name, before]) =>
      lazy(name, 'grep over files that may be packed.', async () => {
        const { zgrep } = await import('./rarer/zgrep.ts')
        return context => zgrep(name, context, before)
      }),
    ),
  ]
}

/** Commands by name; those of the host override the built-in ones. */
export function tableOf(hostCommands: readonly ShellCommandDefinition[]): ReadonlyMap<string, ShellCommandDefinition> {
  return new Map([...programs.map(withAbout), ...hostCommands].map(command => [command.name, command]))
}
