/** A part of a batch: a column of the view, and what is done with the JSON array in it, `NEW.<name>`. */
export interface BatchPart {
  readonly name: string;
  readonly statements: readonly string[];
}

/** A view into which a batch is inserted as one row, one JSON array for each part. */
export interface BatchView {
  readonly name: string;
  /** For the connection alone that makes it. */
  readonly isTemporary: boolean;
  /** Columns of the view, and the statements of each, in their order. */
  readonly parts: readonly BatchPart[];
  /** Statements after those of the parts. */
  readonly last?: readonly string[];
}

/**
 * SQL that makes a view and the trigger behind it: what is inserted into the view is carried out by the trigger. A statement costs a way to the
 * database's thread and back; so a whole batch is one statement, and one transaction: where a part of it fails nothing of it is written.
 */
export function batchViewSql({ name, isTemporary, parts, last = [] }: BatchView): string {
  const temp = isTemporary ? 'TEMP ' : '';
  const statements = [...parts.flatMap((part) => part.statements), ...last];
  return `
${isTemporary ? 'PRAGMA temp_store = MEMORY;\n' : ''}CREATE ${temp}VIEW IF NOT EXISTS ${name} AS SELECT ${parts.map((part) => `NULL AS ${part.name}`).join(', ')};
CREATE ${temp}TRIGGER IF NOT EXISTS ${name}_insert INSTEAD OF INSERT ON ${name} BEGIN
${statements.map((statement) => `${statement};`).join('\n')}
END;`;
}

/** The statement that carries out a batch; its parameters are the JSON arrays of the parts, in their order. */
export function batchInsertSql({ name, parts }: Pick<BatchView, 'name' | 'parts'>): string {
  return `INSERT INTO ${name} VALUES (${parts.map(() => '?').join(', ')})`;
}

/**
 * The items of a JSON array, an SQL expression, as rows with the column `item`. Without the limit SQLite would make the text of an item anew
 * for each of its values.
 */
export function itemsOf(json: string): string {
  return `(SELECT value AS item FROM json_each(${json}) LIMIT -1 OFFSET 0)`;
}
