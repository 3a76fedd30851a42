/** Histories that a property is tried with in `npm test`, times `TILLBRIDGE_PROPERTY_RUNS`: the usual ones are always the same. */
export function propertyRuns(usual: number): { readonly numRuns: number; readonly seed?: number } {
  const times = Number(process.env.TILLBRIDGE_PROPERTY_RUNS ?? '1');
  return times > 1 ? { numRuns: Math.ceil(usual * times) } : { numRuns: usual, seed: 20_261_128 };
}
