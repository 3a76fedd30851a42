import type { ErrorGroup } from '@tillbridge/wire/errors/error-row.js';

/** An error of an API as its reference shows it. */
interface ApiError {
  readonly code: string;
  /** Of HTTP. */
  readonly status: number;
  readonly resultCode?: string;
  /** What is wrong. */
  readonly text: string;
  /** What to do. */
  readonly action: string;
}

/** Errors and result codes of an API, as its reference shows them. */
export interface ApiCodes {
  readonly errors: readonly ApiError[];
  readonly resultGroups: readonly object[];
  readonly resultCodes: readonly object[];
}

/** The errors of a table by their HTTP status. */
export function apiErrors(table: ErrorGroup): readonly ApiError[] {
  return Object.entries(table)
    .map(([code, [text, action, status = 0, resultCode]]) => ({
      ...{ code, status, text, action },
      ...(resultCode !== undefined && { resultCode }),
    }))
    .toSorted((a, b) => a.status - b.status);
}
