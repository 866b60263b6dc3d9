// How many tests really ran, from the runners' own reports.

export function countVitest(report) {
  if (!report) return undefined
  // A file that cannot be loaded fails without a single test of its own.
  const unloaded = report.testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

export function countPlaywright(report) {
  if (!report) return undefined
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected, failed: unexpected + flaky, skipped }
}
