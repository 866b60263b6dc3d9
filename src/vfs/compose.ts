// Filesystems made of filesystems: shown and kept apart (overlay), shown and not to be changed, a directory as a whole, several as one.

export { atRoot } from './at-root.ts'
export type { Difference } from './backend.ts'
export { mountBackends } from './mount.ts'
export { overlay, type OverlayBackend } from './overlay.ts'
export { readonly } from './readonly.ts'
