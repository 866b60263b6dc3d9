// Rarely asked facts of `git rev-parse`: the variables that belong to one repository, and the directory behind a `.git` file.

import { words } from '../../core/words.ts'
import { decodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import type { GitEnvironment } from '../repository.ts'

export { superproject } from './superproject.ts'

/** Variables of the environment that a command for another repository must not have. */
export const localVariables: readonly string[] = words(`
  GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_OBJECT_DIRECTORY GIT_DIR GIT_WORK_TREE
  GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE GIT_PREFIX
  GIT_INTERNAL_SUPER_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR
`)

/** The repository's directory for `path`, which is one or a file that names one. Rejects for others. */
export async function resolvedGitDir({ files, cwd }: GitEnvironment, path: string): Promise<string> {
  const place = path.startsWith('/') ? path : `${cwd}/${path}`
  const isRepository = async (directory: string): Promise<boolean> =>
    (await files.lstat(`${directory}/HEAD`)) !== undefined &&
    (await files.isDirectory(`${directory}/objects`)) &&
    (await files.isDirectory(`${directory}/refs`))
  if (await files.isFile(place)) {
    const [, target = ''] = /^gitdir: (.+?)\n*$/s.exec(decodeText((await files.read(place)) ?? new Uint8Array())) ?? []
    const full = target.startsWith('/') ? target : `${place.slice(0, place.lastIndexOf('/'))}/${target}`
    const common = await files.read(`${full}/commondir`)
    if (target !== '' && (common !== undefined || (await isRepository(full)))) return files.vfs.realpath(full)
  } else if (await isRepository(place)) return path
  throw fatal(`not a gitdir '${path}'`)
}
