// `git init`.

import { encodeText } from '../../shell/byte-text.ts'
import { Changes } from '../changes.ts'
import { fatal } from '../errors.ts'
import type { GitCommand } from './command.ts'
import { isValidRefName } from '../store/refs.ts'
import { parseConfig } from '../store/config.ts'
import { editConfig } from '../store/config-edit.ts'

export const init: GitCommand = {
  name: 'init',
  summary: 'Create an empty Git repository or reinitialize an existing one',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['bare'] },
      { names: ['b', 'initial-branch'], argument: { name: 'name' } },
      { names: ['template'], argument: { name: 'template-directory' }, accepts: [''] },
      {
        names: ['shared'],
        argument: { name: 'permissions', isOptional: true },
        refuses: 'sharing between users is not built into this git',
      },
      { names: ['object-format'], argument: { name: 'hash' } },
      {
        names: ['separate-git-dir'],
        argument: { name: 'gitdir' },
        refuses: 'a separate git directory is not built into this git',
      },
    ],
    usage: 'git init [-q | --quiet] [--bare] [-b <branch-name>] [<directory>]',
  },
  async run(call, options) {
    const { files, cwd, env } = call.environment
    const format = options.value('object-format')
    if (format !== undefined && format !== 'sha1')
      throw fatal(`object format '${format}' is not built into this git; only sha1 is`)
    const [given] = options.all
    const directory = given === undefined ? cwd : given.startsWith('/') ? given : `${cwd}/${given}`
    await files.vfs.mkdir(directory, { recursive: true })
    const root = await files.vfs.realpath(directory)
    const isBare = options.has('bare')
    const gitDir = env['GIT_DIR'] ?? (isBare ? root : root === '/' ? '/.git' : `${root}/.git`)
    const isOld = await files.isFile(`${gitDir}/HEAD`)
    const config = await call.config().catch(() => undefined)
    const branch = options.value('initial-branch') ?? config?.get('init.defaultbranch') ?? 'master'
    if (!isValidRefName(`refs/heads/${branch}`)) throw fatal(`invalid initial branch name: '${branch}'`)
    const changes = new Changes()
    const hasTemplate = options.value('template') !== ''
    const usual = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']
    for (const name of hasTemplate ? [...usual, 'hooks', 'info', 'branches'] : usual) {
      changes.makeDirectory(`${gitDir}/${name}`)
    }
    if (!isOld) changes.write(`${gitDir}/HEAD`, encodeText(`ref: refs/heads/${branch}\n`))
    if (!isOld && hasTemplate) {
      changes.write(
        `${gitDir}/description`,
        encodeText("Unnamed repository; edit this file 'description' to name the repository.\n"),
      )
      changes.write(
        `${gitDir}/info/exclude`,
        encodeText('# One pattern a line: paths that this repository never shows as untracked.\n'),
      )
    }
    const path = `${gitDir}/config`
    let bytes = await files.read(path)
    const known = bytes === undefined ? [] : parseConfig(bytes, path, 'local').entries.map(({ name }) => name)
    const settings: readonly (readonly [string, string])[] = [
      ['core.repositoryformatversion', '0'],
      ['core.filemode', 'true'],
      ['core.bare', String(isBare)],
      ...(isBare ? [] : [['core.logallrefupdates', 'true'] as const]),
    ]
    for (const [name, value] of settings) {
      if (!known.includes(name)) bytes = editConfig(bytes, path, { name, value, replaces: () => true })
    }
    if (bytes !== undefined) changes.write(path, bytes)
    await changes.commit(files, call.environment.signal)
    if (isOld && options.has('initial-branch')) await call.warn(`warning: re-init: ignored --initial-branch=${branch}`)
    if (
      !isOld &&
      options.value('initial-branch') === undefined &&
      config?.get('init.defaultbranch') === undefined &&
      !options.has('quiet')
    ) {
      await call.warn(
        "hint: Using 'master' as the name for the initial branch. This default branch name\nhint: is subject to change.",
      )
    }
    if (!options.has('quiet')) {
      const what = isOld ? 'Reinitialized existing' : 'Initialized empty'
      await call.print(`${what} Git repository in ${gitDir}/`)
    }
    return 0
  },
}
