// The part of a memfs Volume that we use. Declared here, because a host may have another version of memfs, or wrap one.

/** The part of a `Volume` (or of the `fs` that memfs creates from one) that {@link memfs} needs. */
export interface MemfsVolume {
  lstatSync(path: string, options: { readonly throwIfNoEntry: false }): MemfsStats | undefined
  readdirSync(path: string): unknown
  readFileSync(path: string): unknown
  readlinkSync(path: string): unknown
  writeFileSync(path: string, data: Uint8Array, options: { readonly flag: string; readonly mode: number }): void
  mkdirSync(path: string, options: { readonly mode: number }): unknown
  symlinkSync(target: string, path: string): void
  linkSync(existing: string, path: string): void
  unlinkSync(path: string): void
  rmdirSync(path: string): void
  renameSync(from: string, to: string): void
  chmodSync(path: string, mode: number): void
  utimesSync(path: string, atimeSeconds: number, mtimeSeconds: number): void
  lutimesSync(path: string, atimeSeconds: number, mtimeSeconds: number): void
  /** With these three a part of a file is written without the rest. */
  openSync?(path: string, flags: string): number
  writeSync?(file: number, data: Uint8Array, offset: number, length: number, position: number): number
  closeSync?(file: number): void
  /**
   * The source of change events, and the nodes by number. Without it, changes by others are detected when the entry is next accessed, and
   * what is done below a directory that may not be searched moves its `ctime`.
   */
  readonly _core?: unknown
}

/** The part of memfs's stats that we use. */
export interface MemfsStats {
  readonly mode: number
  readonly size: number
  readonly ino: number
  readonly nlink: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

export interface VolumeEvent {
  readonly type: 'create' | 'modify' | 'attributes' | 'move' | 'delete'
  readonly ino: number
  readonly nlink: number
  readonly path: string
  readonly oldPath?: string
}

// memfs identifies its events by number.
const eventTypes = ['create', 'delete', 'modify', 'attributes', 'move'] as const

/** Sets the `ctime` of a node, if the volume shows its nodes. */
export function setChangeTime(volume: MemfsVolume, ino: number, ctimeMs: number): void {
  const node = field(field(volume._core, 'inodes'), String(ino))
  if (typeof node === 'object' && node !== null && 'ctime' in node) Reflect.set(node, 'ctime', new Date(ctimeMs))
}

/** Listens to all events of `volume`, synchronously. `undefined` if that is not possible. */
export function listen(volume: MemfsVolume, listener: (event: VolumeEvent) => void): (() => void) | undefined {
  const changes = field(volume._core, 'changes')
  const subscribe = field(changes, 'listen')
  if (typeof subscribe !== 'function') return undefined
  const end: unknown = subscribe.call(changes, (event: unknown) => {
    const parsed = parseEvent(event)
    if (parsed !== undefined) listener(parsed)
  })
  return () => {
    if (typeof end === 'function') end()
  }
}

function parseEvent(event: unknown): VolumeEvent | undefined {
  const [typeIndex, node] = [field(event, 'type'), field(event, 'node')]
  const type = typeof typeIndex === 'number' ? eventTypes[typeIndex] : undefined
  const [path, oldPath] = [pathOf(field(event, 'steps')), pathOf(field(event, 'oldSteps'))]
  const [ino, nlink] = [field(node, 'ino'), field(node, 'nlink')]
  if (type === undefined || path === undefined || typeof ino !== 'number' || typeof nlink !== 'number') return undefined
  return { type, ino, nlink, path, ...(oldPath === undefined ? {} : { oldPath }) }
}

/** memfs gives the names from the root down; the root is ''. */
function pathOf(steps: unknown): string | undefined {
  if (!Array.isArray(steps) || !steps.every(step => typeof step === 'string')) return undefined
  return `/${steps.filter(step => step !== '').join('/')}`
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
