/** Bytes or values that Miura's MPI does not allow. The message names the field and the rule, never a value. */
export class MiuraFormatError extends Error {
  override readonly name = 'MiuraFormatError';
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`);
    this.field = field;
  }
}
