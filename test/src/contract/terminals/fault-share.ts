/**
 * Returns `share`, or 1 with `TILLBRIDGE_FAULTS=all`: of the product of a maker's cases and faults, tests run one in so many, so that each fault
 * and each case has its turn.
 */
export function shareOf(share: number): number {
  return process.env.TILLBRIDGE_FAULTS === 'all' ? 1 : share;
}
