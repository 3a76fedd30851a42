import { cursorOf, Reader } from '../cursor.js';
import type { FieldSpec, PartsSpec } from '../field-spec.js';
import { Iso8583Error } from '../iso8583-error.js';
import { readGroups, readPositions, writeGroups, writePositions } from './positions.js';
import type { Parts, Reading, Writing } from './reading.js';
import { readBitmapped, readDatasets, writeBitmapped, writeDatasets } from './sub-fields.js';
import { readTagged, writeTagged } from './tagged.js';

/** A field whose parts are read or written. */
export interface PartedField {
  /** Its number, for errors. */
  readonly field: number;
  readonly spec: FieldSpec;
}

/** Part specifications that this codec reads; BER-TLV has a codec of its own. */
type ReadableParts = Exclude<PartsSpec, { readonly kind: 'ber-tlv' }>;

/**
 * The parts of the value of a field.
 * @throws Iso8583Error badField, truncated, trailing: it is not made of these parts
 */
export function unpackParts(parted: PartedField, value: string): Parts {
  const parts = readableParts(parted);
  const bytes = Buffer.from(value, isHex(parted.spec) ? 'hex' : 'latin1');
  const reading = { field: parted.field, from: new Reader(bytes), found: {} };
  readParts(reading, parts);
  return reading.found;
}

/**
 * The value of a field that is made of these parts.
 * @throws Iso8583Error badField, tooLong
 */
export function packParts(parted: PartedField, values: Parts): string {
  const parts = readableParts(parted);
  const out = cursorOf(Buffer.alloc(parted.spec.maxLength));
  writeParts({ field: parted.field, out, values }, parts);
  const value = isHex(parted.spec)
    ? out.bytes.toString('hex', 0, out.at).toUpperCase()
    : out.bytes.toString('latin1', 0, out.at);
  out.bytes.fill(0);
  return value;
}

function readableParts({ field, spec }: PartedField): ReadableParts {
  if (spec.parts === undefined || spec.parts.kind === 'ber-tlv')
    throw new Iso8583Error('badField', field, 'has no parts in this dialect');
  return spec.parts;
}

function isHex({ encoding }: FieldSpec): boolean {
  return encoding === 'binary' || encoding === 'asciiHex';
}

function readParts(reading: Reading, parts: ReadableParts): void {
  switch (parts.kind) {
    case 'positions':
      readPositions(reading, parts.parts, parts.open === true);
      break;
    case 'groups':
      readGroups(reading, parts.parts, parts.maxGroups);
      break;
    case 'tagged':
      readTagged(reading, parts);
      break;
    case 'bitmap':
      readBitmapped(reading, parts.fields);
      break;
    case 'datasets':
      readDatasets(reading, parts.sets);
      break;
  }
}

function writeParts(writing: Writing, parts: ReadableParts): void {
  switch (parts.kind) {
    case 'positions':
      writePositions(writing, parts.parts, '', parts.open === true);
      break;
    case 'groups':
      writeGroups(writing, parts.parts, parts.maxGroups);
      break;
    case 'tagged':
      writeTagged(writing, parts);
      break;
    case 'bitmap':
      writeBitmapped(writing, parts.fields);
      break;
    case 'datasets':
      writeDatasets(writing, parts.sets);
      break;
  }
}
