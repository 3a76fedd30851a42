/** Paths of health probes, which plain HTTP may ask, and which are not counted: their answers say nothing else. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
