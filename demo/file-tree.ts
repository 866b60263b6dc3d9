// Turns a set of paths into the rows of a tree. Pure, so that the component only draws and moves the focus.

export type TreeRow =
  | ({
      readonly kind: 'directory'
      readonly path: string
      readonly name: string
      readonly depth: number
      readonly isOpen: boolean
    } & Place)
  | ({ readonly kind: 'file'; readonly path: string; readonly name: string; readonly depth: number } & Place)

/** Where a row stands among its siblings, 1-based, as assistive technology announces it. */
interface Place {
  readonly position: number
  readonly siblingCount: number
}

interface Directory {
  readonly directories: Map<string, Directory>
  readonly files: string[]
}

/** The rows to draw, top to bottom: directories first, then files, each by name; nothing below a closed directory. */
export function treeRows(paths: Iterable<string>, isOpen: (directory: string) => boolean): TreeRow[] {
  const root: Directory = emptyDirectory()
  for (const path of paths) {
    const names = path.split('/')
    const file = names.pop()
    if (file === undefined || file === '') continue
    let directory = root
    for (const name of names) {
      let next = directory.directories.get(name)
      if (next === undefined) directory.directories.set(name, (next = emptyDirectory()))
      directory = next
    }
    directory.files.push(file)
  }
  return rowsOf(root, '', 1, isOpen)
}

/** The directories above `path`, outermost first. They must be open to show it. */
export function parentsOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_name, index) => names.slice(0, index + 1).join('/'))
}

function rowsOf(directory: Directory, prefix: string, depth: number, isOpen: (directory: string) => boolean): TreeRow[] {
  const names = [...directory.directories.keys()].sort()
  const files = directory.files.toSorted()
  const siblingCount = names.length + files.length
  const rows: TreeRow[] = []
  let position = 0
  for (const name of names) {
    const path = `${prefix}${name}`
    const open = isOpen(path)
    rows.push({ kind: 'directory', path, name, depth, isOpen: open, position: ++position, siblingCount })
    const below = directory.directories.get(name)
    if (open && below !== undefined) rows.push(...rowsOf(below, `${path}/`, depth + 1, isOpen))
  }
  for (const name of files) rows.push({ kind: 'file', path: `${prefix}${name}`, name, depth, position: ++position, siblingCount })
  return rows
}

const emptyDirectory = (): Directory => ({ directories: new Map(), files: [] })
