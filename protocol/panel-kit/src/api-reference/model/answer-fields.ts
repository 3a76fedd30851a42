import { type ApiDocument, resolved, type Schema } from './document.js';

/** A member of an answer, named by its path. */
export interface AnswerField {
  /** Such as `card.last4Digits`, or `alerts[].id`. */
  readonly name: string;
  readonly schema: Schema;
}

/** An answer refers to others at most so deep. */
const MAX_DEPTH = 6;

/** Members of an answer in the order of the document; what only holds others is left out. */
export function answerFields(document: ApiDocument, schema: Schema): readonly AnswerField[] {
  const found = new Map<string, Schema>();
  collect(document, schema, '', found, 0);
  return [...found].map(([name, value]) => ({ name, schema: value }));
}

function collect(
  document: ApiDocument,
  given: Schema,
  name: string,
  found: Map<string, Schema>,
  depth: number,
): void {
  const schema = resolved(document, given);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])];
  const members = Object.entries(schema.properties ?? {});
  if (depth >= MAX_DEPTH || (parts.length === 0 && members.length === 0 && !schema.items)) {
    if (name !== '' && !found.has(name)) found.set(name, schema);
    return;
  }
  for (const part of parts) collect(document, part, name, found, depth + 1);
  for (const [member, value] of members)
    collect(document, value, name === '' ? member : `${name}.${member}`, found, depth + 1);
  if (schema.items) collect(document, schema.items, `${name}[]`, found, depth + 1);
}
