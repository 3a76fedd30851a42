/** A value that SQLite takes or gives. */
export type SqlValue = string | number | Uint8Array | null;

/** Takes statements; a connection carries them out, a script keeps them. */
export interface Statements {
  /** `sql` has a `?` for each value and no other question mark. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<void>;
}

/**
 * A value as SQLite reads it inside a text. Characters travel as bytes: no quote and no zero byte of a caller's data can
 * end the literal or the text.
 * @throws TypeError for a number that is no whole one
 */
export function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError('only whole numbers are written into a script');
    return String(value);
  }
  if (typeof value === 'string') return `CAST(X'${Buffer.from(value, 'utf8').toString('hex')}' AS TEXT)`;
  return `X'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
}

/**
 * Statements kept as one text, to be carried out in one go: each statement apart costs a turn of the event loop, and a
 * transaction of one sale's step has six.
 */
export class SqlScript implements Statements {
  readonly #statements: string[] = [];

  async run(sql: string, ...values: readonly SqlValue[]): Promise<void> {
    let at = 0;
    this.#statements.push(sql.replace(/\?/g, () => literal(values[at++] ?? null)));
  }

  /** The statements, each with its end. */
  get text(): string {
    return this.#statements.map((statement) => `${statement};\n`).join('');
  }
}
