import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

/** How a document may be encoded, the smallest first. */
const ENCODERS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const;
type Encoding = keyof typeof ENCODERS;

/** A document in one encoding. */
interface EncodedDocument {
  readonly bytes: Buffer;
  /** Absent: as it is. */
  readonly encoding?: Encoding;
}

/** What everybody gets alike: bytes that are made once, and compressed once. */
export class PublicDocument {
  /** Content-Type. */
  readonly type: string;
  /** ETag; weak, as the encodings of a document share it (RFC 9110 §8.8.1). */
  readonly tag: string;
  readonly #plain: Buffer;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(type: string, content: string | Uint8Array) {
    this.type = type;
    this.#plain = Buffer.from(content as Uint8Array);
    this.tag = `W/"${createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22)}"`;
  }

  /** Of a value as JSON. */
  static json(value: unknown): PublicDocument {
    return new PublicDocument('application/json; charset=utf-8', JSON.stringify(value));
  }

  /** The document as a client takes it. @param accepted its Accept-Encoding */
  async encoded(accepted: string | undefined): Promise<EncodedDocument> {
    const encoding = encodingFor(accepted);
    if (encoding === undefined) return { bytes: this.#plain };
    const made = this.#encoded.get(encoding) ?? ENCODERS[encoding](this.#plain);
    this.#encoded.set(encoding, made);
    const bytes = await made;
    return bytes.length < this.#plain.length ? { bytes, encoding } : { bytes: this.#plain };
  }
}

/** The smallest of our encodings that a client names; one with `q=0` is refused by it (RFC 9110 §12.5.3). */
function encodingFor(accepted: string | undefined): Encoding | undefined {
  const named = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
      .map((each) => each.split(';', 1)[0]?.trim()),
  );
  return (Object.keys(ENCODERS) as Encoding[]).find((each) => named.has(each));
}
