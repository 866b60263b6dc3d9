// What few placeholders and forms of messages need, loaded together: as files of their own it would take more.

export { wrapText } from '../wrap-text.ts'
export { Describer } from './describe.ts'
export { mailOf } from './email.ts'
export { shownTrailers } from './trailers.ts'
