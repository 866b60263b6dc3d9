// Rules of this repository that no linter includes.

// The public names are listed by hand, so that adding one is visible in a review.
const noExportAll = {
  create(context) {
    return {
      ExportAllDeclaration(node) {
        context.report({ node, message: 'List the names: export { a, type B } from …' })
      },
    }
  },
}

export default { meta: { name: 'anchorage' }, rules: { 'no-export-all': noExportAll } }
