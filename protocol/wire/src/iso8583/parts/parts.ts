import { cursorOf, Reader } from '../cursor.js';
import type { FieldSpec, PartsSpec } from '../field-spec.js';
import { Iso8583Error } from '../iso8583-error.js';
import { readGroups, readPositions, writeGroups, writePositions } from './positions.js';
import type { Parts, Reading, Writing } from './reading.js';
import { readBitmapped, readDatasets, writeBitmapped, writeDatasets } from './sub-fields.js';
import { readTagged, writeTagged } from './tagged.js';

/** A field whose parts are read or written. */
interface PartedField {
  /** Its number, for errors. */
  readonly field: number;
  readonly spec: FieldSpec;
}

/** Part specifications that this codec reads; BER-TLV has its own codec. */
type ReadableParts = Exclude<PartsSpec, { readonly kind: 'ber-tlv' }>;

/**
 * The parts of the value of a field.
 * @throws Iso8583Error badField, truncated, trailing: it is not made of these parts
 */
export function unpackParts(parted: PartedField, value: string): Parts {
  const parts = readableParts(parted);
  const bytes = Buffer.from(value, isHex(parted.spec) ? 'hex' : 'latin1');
  const reading = { field: parted.field, from: new Reader(bytes), found: {} };
  codecOf(parts).read(reading, parts);
  return reading.found;
}

/**
 * The value of a field that is made of these parts.
 * @throws Iso8583Error badField, tooLong
 */
export function packParts(parted: PartedField, values: Parts): string {
  const parts = readableParts(parted);
  const out = cursorOf(Buffer.alloc(parted.spec.maxLength));
  codecOf(parts).write({ field: parted.field, out, values }, parts);
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

/** How the parts of a kind are read and written. */
interface PartsCodec<P> {
  readonly read: (reading: Reading, parts: P) => void;
  readonly write: (writing: Writing, parts: P) => void;
}

const CODECS: {
  readonly [K in ReadableParts['kind']]: PartsCodec<Extract<ReadableParts, { readonly kind: K }>>;
} = {
  positions: {
    read: (reading, { parts, open }) => readPositions(reading, parts, open === true),
    write: (writing, { parts, open }) => writePositions(writing, parts, '', open === true),
  },
  groups: {
    read: (reading, { parts, maxGroups }) => readGroups(reading, parts, maxGroups),
    write: (writing, { parts, maxGroups }) => writeGroups(writing, parts, maxGroups),
  },
  tagged: { read: readTagged, write: writeTagged },
  bitmap: {
    read: (reading, { fields }) => readBitmapped(reading, fields),
    write: (writing, { fields }) => writeBitmapped(writing, fields),
  },
  datasets: {
    read: (reading, { sets }) => readDatasets(reading, sets),
    write: (writing, { sets }) => writeDatasets(writing, sets),
  },
};

function codecOf({ kind }: ReadableParts): PartsCodec<ReadableParts> {
  return CODECS[kind] as PartsCodec<ReadableParts>;
}
