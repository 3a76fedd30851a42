import type { FieldSpec, NamedPart, PartsSpec } from '../field-spec.js';
import { type ElementRow, fieldOf, fieldsOf, IN_TEXT, type Representation } from './representation.js';

/** A part of a field: the key of its value, and what a data element has. */
export type PartRow = readonly [key: string, name: string, format: string, mask?: FieldSpec['mask']];

/** A data element that is made of parts. */
export function element(name: string, format: string, parts: PartsSpec): ElementRow {
  return [name, format, { parts }];
}

function namedParts(rows: readonly PartRow[], representation: Representation): readonly NamedPart[] {
  return rows.map(([key, name, format, mask]) => {
    return { key, ...fieldOf([name, format, { ...(mask && { mask }) }], representation) };
  });
}

/** Parts one behind the other; of a text unless a representation is given. */
export function positions(rows: readonly PartRow[], representation: Representation = IN_TEXT): PartsSpec {
  return { kind: 'positions', parts: namedParts(rows, representation) };
}

/** As {@link positions}, the last of which may be shorter. */
export function openPositions(rows: readonly PartRow[]): PartsSpec {
  return { kind: 'positions', parts: namedParts(rows, IN_TEXT), open: true };
}

/** Groups of the same parts in a text. */
export function groups(maxGroups: number, rows: readonly PartRow[]): PartsSpec {
  return { kind: 'groups', parts: namedParts(rows, IN_TEXT), maxGroups };
}

/** Sub-fields behind a bitmap. */
export function bitmapped(
  rows: Readonly<Record<number, ElementRow>>,
  representation: Representation,
): PartsSpec {
  return { kind: 'bitmap', fields: fieldsOf(rows, representation) };
}

/** Data sets with bitmaps, by their identifiers in hex. */
export function datasets(
  sets: Readonly<Record<string, readonly [name: string, rows: Readonly<Record<number, ElementRow>>]>>,
  representation: Representation,
): PartsSpec {
  return {
    kind: 'datasets',
    sets: Object.fromEntries(
      Object.entries(sets).map(([id, [name, rows]]) => [
        id,
        { name, fields: fieldsOf(rows, representation) },
      ]),
    ),
  };
}
