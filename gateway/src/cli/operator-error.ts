import { maskText } from '@tillbridge/protocol/mask/mask.js';
import { OPERATOR_ERRORS } from '../errors/error-table.js';

/** What the operator asked for cannot be done; the message says why. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Those of them that name rows of the database by id, and never say a word about keys. */
const ROW_ERRORS: ReadonlySet<string> = new Set(['EntityError', 'OperatorError', 'TokenError']);
/** Ids of ours; captured, so that a text split at them keeps them. */
const ID = /(?<![0-9A-Za-z-])([0-9a-f]{32})(?![0-9A-Za-z-])/;

/** Can the operator mend it? Then its message says all. */
export function isOperatorError(error: unknown): boolean {
  return error instanceof Error && Object.hasOwn(OPERATOR_ERRORS, error.name);
}

/** What the operator is told of an error: its message, with the stack where the error is a fault of ours; secrets masked. */
export function operatorText(error: unknown): string {
  if (!(error instanceof Error)) return maskText(String(error));
  if (!isOperatorError(error)) return maskText(error.stack ?? error.message);
  if (!ROW_ERRORS.has(error.name)) return maskText(error.message);
  const parts = error.message.split(ID);
  return parts.map((part, at) => (at % 2 === 1 ? part : maskText(part))).join('');
}
