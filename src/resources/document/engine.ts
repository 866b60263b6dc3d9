// The only file that imports the reader of PDF. The package ships it as a bundle, so that it lies on a user's disk once.

export { getDocumentProxy } from 'unpdf'
