import { maskText } from '@tillbridge/protocol/mask/mask.js';

/** What the operator asked for cannot be done; the message says why. Exit code 2. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Errors that the operator can mend: a wrong configuration, a taken port or home, a file that is not as it must be. */
const OPERATOR_ERRORS: ReadonlySet<string> = new Set([
  'ConfigError',
  'EntityError',
  'HomeModeError',
  'HomeInUseError',
  'HomeUnusableError',
  'KeyCommandError',
  'KeyStoreError',
  'OperatorError',
  'PortInUseError',
  'PromptError',
  'SchemaTooNewError',
  'SecretFileError',
  'SecurityModuleError',
  'SeedError',
  'StoreUnavailableError',
  'TokenError',
]);

/** Those of them that name rows of the database by id, and never say a word about keys. */
const ROW_ERRORS: ReadonlySet<string> = new Set(['EntityError', 'OperatorError', 'TokenError']);
/** Ids of ours; captured, so that a text split at them keeps them. */
const ID = /(?<![0-9A-Za-z-])([0-9a-f]{32})(?![0-9A-Za-z-])/;

/** Can the operator mend it? Then its message says all. */
export function isOperatorError(error: unknown): boolean {
  return error instanceof Error && OPERATOR_ERRORS.has(error.name);
}

/** What the operator is told of an error: its message, with the stack where the error is a fault of ours; secrets masked. */
export function operatorText(error: unknown): string {
  if (!(error instanceof Error)) return maskText(String(error));
  if (!isOperatorError(error)) return maskText(error.stack ?? error.message);
  if (!ROW_ERRORS.has(error.name)) return maskText(error.message);
  const parts = error.message.split(ID);
  return parts.map((part, at) => (at % 2 === 1 ? part : maskText(part))).join('');
}
