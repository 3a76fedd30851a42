import { isPending, isSuccess } from './result-classes.js';
import { RESULT_CODE_TABLE } from './result-code-table.js';

/** A result code of the catalogue. */
export type ResultCode = keyof typeof RESULT_CODE_TABLE;

/** Codes and texts by code, as a reader that knows nothing of the literal types sees them. */
const DESCRIPTIONS: Readonly<Record<string, string>> = RESULT_CODE_TABLE;

/** Is the code in the catalogue? */
export function isResultCode(code: string): code is ResultCode {
  return Object.hasOwn(DESCRIPTIONS, code);
}

/** Text of a code (`result.description`); a code that is not in the catalogue has a general one. */
export function resultDescription(code: string): string {
  return DESCRIPTIONS[code] ?? 'result of the acquirer without a description';
}

/** What a code means for a client that needs to know only whether it may deliver. */
export function resultClass(code: string): 'success' | 'pending' | 'rejected' {
  if (isSuccess(code)) return 'success';
  return isPending(code) ? 'pending' : 'rejected';
}

/** The list as `GET /v1/resultcodes` answers it. */
export function resultCodeList(): { readonly code: ResultCode; readonly description: string }[] {
  return Object.entries(RESULT_CODE_TABLE).map(([code, description]) => ({
    code: code as ResultCode,
    description,
  }));
}
