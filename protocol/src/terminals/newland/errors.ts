/** Bytes or values that the Newland pin pad protocol does not allow. The message names the field and the rule, never a value. */
export class NewlandFormatError extends Error {
  override readonly name = 'NewlandFormatError';
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`);
    this.field = field;
  }
}
