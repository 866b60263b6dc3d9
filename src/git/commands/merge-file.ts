// `git merge-file`.

import { mergeFiles } from '../../text/git-merge/merge-files.ts'
import { GitFailure } from '../errors.ts'
import { looksBinary } from '../diff/file-pair.ts'
import type { GitCommand } from './command.ts'

const maxExitCode = 127

export const mergeFile: GitCommand = {
  name: 'merge-file',
  summary: 'Run a three-way file merge',
  options: {
    rows: [
      { names: ['p', 'stdout'] },
      { names: ['diff3'], key: 'style', value: 'diff3' },
      { names: ['zdiff3'], key: 'style', value: 'zdiff3' },
      { names: ['ours'], key: 'favor', value: 'ours' },
      { names: ['theirs'], key: 'favor', value: 'theirs' },
      { names: ['union'], key: 'favor', value: 'union' },
      { names: ['marker-size'], argument: { name: 'n' } },
      { names: ['q', 'quiet'] },
      { names: ['L'], argument: { name: 'name' } },
    ],
    usage: 'git merge-file [<options>] [-L <name1> [-L <orig> [-L <name2>]]] <file1> <orig-file> <file2>',
  },
  async run(call, options) {
    const [ours, base, theirs, ...more] = options.all
    if (ours === undefined || base === undefined || theirs === undefined || more.length > 0) {
      throw new GitFailure(`usage: ${mergeFile.options.usage}\n`, 129)
    }
    const { files, cwd } = call.environment
    const place = (name: string): string => (name.startsWith('/') ? name : `${cwd}/${name}`)
    const contents: Uint8Array[] = []
    for (const name of [ours, base, theirs]) {
      const bytes = await files.read(place(name))
      if (bytes === undefined) throw new GitFailure(`error: Could not stat ${name}`, 255)
      if (looksBinary(bytes)) throw new GitFailure(`error: Cannot merge binary files: ${name}`, 255)
      contents.push(bytes)
    }
    const [mine = new Uint8Array(), before = new Uint8Array(), others = new Uint8Array()] = contents
    const [oursName = ours, baseName = base, theirsName = theirs] = options.values('L')
    const style = options.value('style')
    const favor = options.value('favor')
    const size = options.number('marker-size')
    const merged = mergeFiles(before, mine, others, {
      labels: { ours: oursName, base: baseName, theirs: theirsName },
      style: style === 'diff3' || style === 'zdiff3' ? style : 'merge',
      ...(favor === 'ours' || favor === 'theirs' || favor === 'union' ? { favor } : {}),
      ...(size === undefined ? {} : { markerSize: size }),
    })
    if (options.has('stdout')) await call.out.write(merged.bytes)
    else await files.vfs.writeFile(place(ours), merged.bytes)
    return Math.min(maxExitCode, merged.conflicts)
  },
}
