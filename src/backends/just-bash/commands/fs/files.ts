// Commands that change the tree of files. They are loaded together: a script that uses one of them mostly uses others.

export { chmod } from './chmod.ts'
export { cp } from './cp.ts'
export { install } from './install.ts'
export { link, ln, unlink } from './ln.ts'
export { mkdir, rmdir } from './mkdir.ts'
export { mv } from './mv.ts'
export { rm } from './rm.ts'
