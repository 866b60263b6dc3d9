// What the benchmark is held against. It installs these packages itself (.ci/bench-packages), so their types are not here to be asked.
export { default as LightningFS } from '@isomorphic-git/lightning-fs'
export { fs as zen, resolveMountConfig } from '@zenfs/core'
export { IndexedDB, WebAccess } from '@zenfs/dom'
