/**
 * Keeps the results of what takes long to count, by a key that changes whenever the result may. Results that were used
 * longest ago are forgotten.
 */
export function openRemembered<Result>(maxKept: number) {
  const kept = new Map<string, Promise<Result>>()
  return (key: string, count: () => Promise<Result>): Promise<Result> => {
    const known = kept.get(key) ?? count()
    kept.delete(key)
    kept.set(key, known)
    known.catch(() => kept.delete(key))
    if (kept.size > maxKept) kept.delete(kept.keys().next().value as string)
    return known
  }
}
