import { maskText } from '@tillbridge/wire/mask/mask.js';
import { OPERATOR_ERRORS } from './error-table.js';

/** What the operator requested on rows of the database cannot be done, with the reason in the message. Exit code 2. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** An id of a row; captured, so that a text split at ids keeps them. */
const ID = /(?<![0-9A-Za-z-])([0-9a-f]{32})(?![0-9A-Za-z-])/;

/** Whether the operator can correct it: then the message is enough. */
export function isOperatorError(error: unknown): boolean {
  return error instanceof Error && Object.hasOwn(OPERATOR_ERRORS, error.name);
}

/** The text of an error for the operator: its message, with the stack where the program is at fault; secrets masked. */
export function operatorText(error: unknown): string {
  if (!(error instanceof Error)) return maskText(String(error));
  if (!isOperatorError(error)) return maskText(error.stack ?? error.message);
  if (!(error instanceof OperatorError)) return maskText(error.message);
  // It names rows of the database by id and never shows keys: ids stay readable.
  const parts = error.message.split(ID);
  return parts.map((part, at) => (at % 2 === 1 ? part : maskText(part))).join('');
}
