/** Bytes or values that a maker's protocol does not allow. The message names the field and the rule, never a value. */
export class TerminalFormatError extends Error {
  override readonly name = 'TerminalFormatError';
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field}: ${rule}`);
    this.field = field;
  }
}
