// Code that few placeholders and forms of messages need, loaded together: as separate files it would be larger.

export { wrapText } from '../wrap-text.ts'
export { Describer } from './describe.ts'
export { mailOf } from './email.ts'
export { shownTrailers } from './trailers.ts'
