/**
 * Does the work of each item, begun in their order, `limit` of them at once at most: commits that come together share one sync of the disk.
 * @returns the results in the order of the items
 * @throws the first error of the work: nothing more is begun then, and what was begun has ended
 */
export async function someAtOnce<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const errors: unknown[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of left) {
      if (errors.length > 0) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
