/** The result of `promise`, or the result of `onLate` (or its error) once `timeoutMs` have passed without it. */
export async function inTime<T, L>(promise: Promise<T>, timeoutMs: number, onLate: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(() => resolve('late'), timeoutMs)
  })
  try {
    const first = await Promise.race([promise.then(value => ({ value })), late])
    return first === 'late' ? onLate() : first.value
  } finally {
    clearTimeout(timer)
  }
}
