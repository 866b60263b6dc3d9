// In the published types every optional property also takes `undefined`, so that a project with `exactOptionalPropertyTypes` can hand on
// what it may not have. The code treats both alike; writing it at every property by hand would be forgotten somewhere.
import typescript from 'typescript'

const { SyntaxKind } = typescript

/**
 * Whose values are handed to an SDK, which in such a project takes no `undefined`. Options of the host in these files name `undefined`
 * themselves.
 */
const givenToSdks = /adapters\/(ai-sdk\/tools|deepagents\/index)\.d\.ts$/

/** The text of a `.d.ts` file with `| undefined` at every optional property. */
export function withUndefined(file, text) {
  const edits = optionalProperties(file, text).toSorted((a, b) => b.at - a.at)
  return edits.reduce((rest, { at, end = at, insert }) => rest.slice(0, at) + insert + rest.slice(end), text)
}

/** The optional properties of a `.d.ts` file that do not take `undefined`, as sentences. */
export function withoutUndefined(file, text) {
  return optionalProperties(file, text).map(({ shown }) => `${file}: ${shown} does not take undefined`)
}

function optionalProperties(file, text) {
  if (givenToSdks.test(file)) return []
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.ESNext, true)
  const found = []
  const visit = node => {
    typescript.forEachChild(node, visit)
    const shown = node.getText().split('\n')[0]
    const isProperty = [SyntaxKind.PropertySignature, SyntaxKind.PropertyDeclaration, SyntaxKind.MappedType].includes(node.kind)
    if (isProperty && node.questionToken && node.type && !takesUndefined(node.type)) {
      const isOpen = [SyntaxKind.FunctionType, SyntaxKind.ConstructorType, SyntaxKind.ConditionalType].includes(node.type.kind)
      if (isOpen) found.push({ at: node.type.getStart(), insert: '(', shown })
      found.push({ at: node.type.end, insert: isOpen ? ') | undefined' : ' | undefined', shown })
    }
    if (typescript.isTypeReferenceNode(node) && node.typeName.getText() === 'Partial') {
      const [of] = node.typeArguments
      found.push({ at: node.getStart(), end: of.getStart(), insert: '{ [Name in keyof (', shown })
      found.push({ at: of.end, end: node.end, insert: `)]?: (${of.getText()})[Name] | undefined }`, shown })
    }
    if (typescript.isMethodSignature(node) && node.questionToken) {
      const close = node.getChildren().find(({ kind }) => kind === SyntaxKind.CloseParenToken)
      found.push({ at: node.questionToken.end, insert: ': (', shown })
      found.push({ at: close.end, end: node.type.getStart(), insert: ' => ', shown })
      found.push({ at: node.type.end, insert: ') | undefined', shown })
    }
    if (typescript.isExpressionWithTypeArguments(node) && node.expression.getText() === 'Partial') {
      throw new Error(`${file}: ${shown} does not take undefined. Next: extend an interface whose properties are optional.`)
    }
  }
  visit(source)
  return found
}

function takesUndefined(type) {
  const kinds = [SyntaxKind.UndefinedKeyword, SyntaxKind.UnknownKeyword, SyntaxKind.AnyKeyword]
  if (kinds.includes(type.kind)) return true
  return typescript.isUnionTypeNode(type) && type.types.some(takesUndefined)
}
