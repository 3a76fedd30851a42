import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import type { DriverFailure } from './driver.js';

/** A failure with its text; the text names statuses and fields, never card data. */
export interface Failed {
  readonly kind: 'failed';
  readonly failure: DriverFailure;
  readonly detail: string;
}

/** What a step of a driver returns: a value, or why there is none. {@link isFailed} distinguishes them. */
export type Result<T> = T | Failed;

/** Builds a {@link Failed}. */
export function failed(failure: DriverFailure, detail: string): Failed {
  return { kind: 'failed', failure, detail };
}

/** Whether a step failed. */
export function isFailed(value: unknown): value is Failed {
  return typeof value === 'object' && value !== null && 'failure' in value;
}

/** The failure of a step; undefined when it succeeded. */
export function problemOf(result: unknown): Failed | undefined {
  return isFailed(result) ? result : undefined;
}

/** What `step` makes of a value; a failure stays as it is. */
export function andThen<T, R>(result: Result<T>, step: (value: T) => R): R | Failed {
  return isFailed(result) ? result : step(result);
}

/** Runs steps one after the other. Returns their values by name, or the first failure. */
export async function inOrder<T extends object>(
  steps: {
    readonly [K in keyof T]: () => Promise<Result<T[K]>>;
  },
): Promise<Result<T>> {
  const values: Partial<T> = {};
  for (const name of Object.keys(steps) as (keyof T)[]) {
    const value = await steps[name]();
    if (isFailed(value)) return value;
    values[name] = value;
  }
  return values as T;
}

/** A sale that ended without a card, and not by a fault. */
interface Cancelled {
  readonly kind: 'cancelled';
  readonly by: 'cardholder' | 'till' | 'timeout';
}

/** How a step of a sale ended it without a decision of the card. */
export type SaleEnd = Cancelled | Failed;

/** Whether a step of a sale ended it. */
export function hasEnded(value: object): value is SaleEnd {
  return isFailed(value) || ('kind' in value && value.kind === 'cancelled');
}

/** The till stopped it. */
export const STOPPED_BY_TILL = { kind: 'cancelled', by: 'till' } as const;
/** No card or PIN in time. */
export const TIMED_OUT = { kind: 'cancelled', by: 'timeout' } as const;

/** A cancelled command: by the till when `stopped`, else by the cardholder. */
export function cancelled(stopped: boolean): Cancelled {
  return stopped ? STOPPED_BY_TILL : { kind: 'cancelled', by: 'cardholder' };
}

/** Runs a step that reads or builds bytes: bytes or values that break the format are a failure. */
export function attempt<T>(
  what: string,
  step: () => Result<T>,
  failure: DriverFailure = 'protocol-error',
): Result<T> {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof TerminalFormatError || error instanceof TlvError)) throw error;
    return failed(failure, `${what}: ${error.message}`);
  }
}
