// The WebContainer client adds a listener for each waiting call, so a thousand calls at once take a second and eight thousand half a
// minute. A few at a time cost nothing. Both were measured.

/** Concurrent calls. The least total time was measured with 8. */
const concurrency = 8

/** The results of `work` for each item, in order. After the first failure no more work starts, and that failure is thrown. */
export async function pooled<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let hasFailed = false
  const lane = async (): Promise<void> => {
    while (!hasFailed && next < items.length) {
      const index = next++
      const item = items[index]
      if (item === undefined) continue
      try {
        results[index] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(concurrency, items.length) }, lane))
  const failed = lanes.find(result => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results
}
