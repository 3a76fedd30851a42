/**
 * Bytes or values that break a rule of ABECS. `where` names the field, `rule` what it must be.
 * Neither shows the value: it may hold card data.
 */
export class AbecsFormatError extends Error {
  override readonly name = 'AbecsFormatError';
  readonly where: string;
  readonly rule: string;

  constructor(where: string, rule: string) {
    super(`${where}: ${rule}`);
    this.where = where;
    this.rule = rule;
  }
}
