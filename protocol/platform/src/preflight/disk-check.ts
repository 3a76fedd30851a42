import { statfsSync } from 'node:fs';
import { systemCode } from '../system-code.js';
import { fault, type PreflightCheck, type PreflightFinding, warning } from './preflight.js';

const MIB = 1024 * 1024;

/** Free room of a disk, in bytes: below `least` a program does not begin, below `low` it warns. */
export const DISK_LIMITS = { least: 64 * MIB, low: 512 * MIB } as const;

/** Looks for room on the disk of a home. @param variable that names another one */
export function diskCheck(home: string, variable: string): PreflightCheck {
  return () => {
    try {
      const { bavail, bsize } = statfsSync(home);
      return diskFinding(bavail * bsize, home, variable);
    } catch (error) {
      return fault(
        `home ${home} cannot be looked at (${systemCode(error)}): set ${variable} to another folder`,
      );
    }
  };
}

/** Pure. @param free bytes that this user may write */
export function diskFinding(free: number, home: string, variable: string): PreflightFinding | undefined {
  if (free >= DISK_LIMITS.low) return undefined;
  const finding = free < DISK_LIMITS.least ? fault : warning;
  const needed = (free < DISK_LIMITS.least ? DISK_LIMITS.least : DISK_LIMITS.low) / MIB;
  return finding(
    `the disk of home ${home} has ${Math.floor(free / MIB)} MiB left, and ${needed} MiB are needed: make room on it, or set ${variable} to a folder of another disk`,
  );
}
