import { createRequire } from 'node:module';
import { DIALECTS, type Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import type { FieldSpec } from '@tillbridge/wire/iso8583/field-spec.js';
import type { Iso8583Message } from '@tillbridge/wire/iso8583/message.js';

/** How npm `iso_8583` describes a field. */
interface PeerFormat {
  readonly ContentType: string;
  readonly Label: string;
  readonly LenType: string;
  readonly MaxLen: number;
}

type PeerMessage = Readonly<Record<string, string>>;

interface PeerCodec {
  getRawMessage(): Buffer | { readonly error: string };
  getIsoJSON(bytes: Buffer, options: { readonly lenHeader: boolean }): PeerMessage;
}

const Peer = createRequire(import.meta.url)('iso_8583') as new (
  message: PeerMessage | undefined,
  formats: Readonly<Record<number, PeerFormat>>,
) => PeerCodec;

/** The dialect whose bytes npm `iso_8583` can read: it knows digits and lengths only as ASCII. */
export const PEER_DIALECT: Dialect = DIALECTS['1987-ascii'];

/** Field 127 has a different format there. */
export const PEER_UNKNOWN_FIELD = 127;

const FORMATS = Object.fromEntries(
  Object.entries(PEER_DIALECT.fields).map(([number, spec]) => [number, formatOf(spec)]),
);

function formatOf({ encoding, content, lengthDigits, maxLength, name = '' }: FieldSpec): PeerFormat {
  const isBinary = encoding === 'binary';
  return {
    // `z` is the one content that it does not check.
    ContentType: isBinary ? 'b' : content === 'n' ? 'n' : 'z',
    Label: name,
    LenType: lengthDigits === 0 ? 'fixed' : `${'l'.repeat(lengthDigits)}var`,
    MaxLen: isBinary ? maxLength * 2 : maxLength,
  };
}

/** The bytes that npm `iso_8583` makes of a message. It always writes the second bitmap. @throws Error */
export function peerPack({ mti, fields }: Iso8583Message): Buffer {
  const packed = new Peer({ 0: mti, ...fields }, FORMATS).getRawMessage();
  if (Buffer.isBuffer(packed)) return packed;
  throw new Error(packed.error);
}

/** What npm `iso_8583` reads of bytes. */
export function peerUnpack(bytes: Buffer): Iso8583Message {
  const { 0: mti = '', ...fields } = new Peer(undefined, FORMATS).getIsoJSON(bytes, { lenHeader: false });
  const upper = Object.entries(fields).map(([number, value]) => {
    const isBinary = PEER_DIALECT.fields[Number(number)]?.encoding === 'binary';
    return [number, isBinary ? value.toUpperCase() : value] as const;
  });
  return { mti, fields: Object.fromEntries(upper) };
}
