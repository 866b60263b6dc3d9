// Streams that once differed, each with the name of the broken rule. They are run on every subject.

import { parsePath as at } from '../../core/path.ts'
import type { Operation } from './operation.ts'

const mode = 0o755

export const found: Readonly<Record<string, readonly Operation[]>> = {
  'a link asks for its file before it asks for the new name': [
    { verb: 'write', at: at('/f'), text: 'x' },
    { verb: 'link', at: at('/missing'), to: at('/f/a') },
  ],
  'a link to a directory: the new name is taken, before it is a directory': [
    { verb: 'mkdir', at: at('/d'), mode },
    { verb: 'link', at: at('/d'), to: at('/d') },
    { verb: 'link', at: at('/d'), to: at('/d/..') },
  ],
  "a directory cannot be renamed by '..', whatever is missing": [
    { verb: 'mkdir', at: at('/d'), mode },
    { verb: 'rename', at: at('/missing'), to: at('/d/..') },
    { verb: 'rename-new', at: at('/d'), to: at('/d/..') },
    { verb: 'rename', at: at('/d/..'), to: at('/missing/a') },
    { verb: 'rename', at: at('/'), to: at('/d') },
    { verb: 'rename', at: at('/missing'), to: at('/') },
  ],
  "what is named by '..' is not empty, the root included": [
    { verb: 'mkdir', at: at('/d'), mode },
    { verb: 'symlink', at: at('/l'), target: 'd' },
    { verb: 'rmdir', at: at('/l/..') },
    { verb: 'unlink', at: at('/l/..') },
  ],
  'nothing takes the place of the directory that it lies in': [
    { verb: 'mkdir', at: at('/d'), mode },
    { verb: 'symlink', at: at('/d/l'), target: 'x' },
    { verb: 'rename', at: at('/d/l'), to: at('/d') },
  ],
  "a symlink with a '/' at its end leads to no file that could be made": [
    { verb: 'write', at: at('/f'), text: 'x' },
    { verb: 'symlink', at: at('/to-file'), target: 'f/' },
    { verb: 'symlink', at: at('/to-nothing'), target: 'g/' },
    { verb: 'symlink', at: at('/to-itself'), target: 'to-itself/' },
    { verb: 'write', at: at('/to-file'), text: 'y' },
    { verb: 'write', at: at('/to-nothing'), text: 'y' },
    { verb: 'write', at: at('/to-itself'), text: 'y' },
    { verb: 'write', at: at('/to-file'), text: 'y', create: 'never' },
    { verb: 'read', at: at('/to-file') },
  ],
}
