/** An error of the API. */
export interface ErrorRow {
  readonly code: string;
  readonly status: number;
  readonly resultCode?: string;
  /** What is wrong. */
  readonly text: string;
  /** What to do. */
  readonly action: string;
}

/** A pattern of result codes, and what it means. */
export interface ResultGroupRow {
  readonly name: string;
  readonly pattern: string;
  readonly meaning: string;
  readonly action: string;
}

/** A result code, and what it means. */
export interface ResultCodeRow {
  readonly code: string;
  readonly meaning: string;
  readonly description: string;
  readonly action: string;
}

/** Errors and result codes of the API: `/docs/codes.json`. */
export interface ApiCodes {
  readonly errors: readonly ErrorRow[];
  readonly resultGroups: readonly ResultGroupRow[];
  readonly resultCodes: readonly ResultCodeRow[];
}

export const NO_CODES: ApiCodes = { errors: [], resultGroups: [], resultCodes: [] };

/** Rows whose code begins with a text, or whose other words have each of its words; of one meaning where it is named. */
export function findCodes(
  rows: readonly ResultCodeRow[],
  sought: string,
  meaning?: string,
): readonly ResultCodeRow[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (meaning !== undefined && row.meaning !== meaning) return false;
    const text = `${row.description} ${row.meaning}`.toLowerCase();
    return words.every((word) => row.code.startsWith(word) || text.includes(word));
  });
}
