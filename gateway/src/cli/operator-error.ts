/** What the operator asked for cannot be done; the message says why. Exit code 2. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
