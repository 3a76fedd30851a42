/** Bytes or values that MagTek's MMS does not allow. The message names the field and the rule, never a value. */
export class MmsFormatError extends Error {
  override readonly name = 'MmsFormatError';
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`);
    this.field = field;
  }
}
