import { RESULT_CODE_TABLE } from './result-code-table.js';

/** A result code of the catalogue. */
export type ResultCode = keyof typeof RESULT_CODE_TABLE;

/** Codes and texts by code, as a reader that knows nothing of the literal types sees them. */
const DESCRIPTIONS: Readonly<Record<string, string>> = RESULT_CODE_TABLE;

/** Success, review by hand included: the published patterns that merchants copy (reference §1.1). */
const SUCCESS = /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/;
const REVIEW = /^(000\.400\.0[^3]|000\.400\.100)/;
const PENDING = /^(000\.200|800\.400\.5|100\.400\.500)/;

/** Is the code in the catalogue? */
export function isResultCode(code: string): code is ResultCode {
  return Object.hasOwn(DESCRIPTIONS, code);
}

/** Text of a code (spec 2.10, result.description); a code that is not in the catalogue has a general one. */
export function resultDescription(code: string): string {
  return DESCRIPTIONS[code] ?? 'result of the acquirer without a description';
}

/** What a code means for a client. */
export function resultClass(code: string): 'success' | 'pending' | 'rejected' {
  if (SUCCESS.test(code) || REVIEW.test(code)) return 'success';
  return PENDING.test(code) ? 'pending' : 'rejected';
}
