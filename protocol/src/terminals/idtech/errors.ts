/** Bytes or values that ID TECH's NEO 2 does not allow. The message names the field and the rule, never a value. */
export class NeoFormatError extends Error {
  override readonly name = 'NeoFormatError';
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`);
    this.field = field;
  }
}
