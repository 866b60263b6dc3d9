// The only file that imports the PDF library. The package ships it as a bundle, so that a user's disk contains it once.

export { getDocumentProxy } from 'unpdf'
