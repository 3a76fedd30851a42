/** Bytes or values that Verifone's SDI does not allow. The message names the field and the rule, never a value. */
export class SdiFormatError extends Error {
  override readonly name = 'SdiFormatError';
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`);
    this.field = field;
  }
}
