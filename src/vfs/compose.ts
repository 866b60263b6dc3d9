// Filesystems made of filesystems: an overlay that keeps changes separate, a read-only view, a directory as a whole, and mounts.

export { atRoot } from './at-root.ts'
export type { Difference } from './backend.ts'
export { mountBackends } from './mount.ts'
export { overlay, type OverlayBackend } from './overlay.ts'
export { readonly } from './readonly.ts'
