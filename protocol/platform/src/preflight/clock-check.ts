import { fault, type PreflightFinding } from './preflight.js';

/** How far the clock of this machine may be from a clock that it has to agree with, in milliseconds. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/**
 * What is wrong with the clock of this machine. Pure.
 * @param aheadMs how far it is ahead
 * @param other whose clock it is compared with, such as `the database server`
 */
export function clockFinding(aheadMs: number, other: string): PreflightFinding | undefined {
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return undefined;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return fault(
    `the clock of this machine is ${minutes} min ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${other}: set the wrong one right, such as by timedatectl set-ntp true`,
  );
}
