import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../bytes.js';
import { hex, isNegative, type Vector, vectorsOf } from '../crypto/vectors.test.support.js';
import { buildDol, dolLength, parseDol } from './dol.js';
import { EMV_TAGS, isSensitiveTag, tagInfo } from './tags.js';
import { decodeTlv, encodeTlv, findTemplate, findTlv, type TlvNode, tagHeader, tlv } from './tlv.js';

/** The form of nodes in vector files. */
type JsonNode = { tag: string; value: string } | { tag: string; children: JsonNode[] };

const toJson = (nodes: readonly TlvNode[]): JsonNode[] =>
  nodes.map((node) =>
    'value' in node
      ? { tag: node.tag, value: toHex(node.value) }
      : { tag: node.tag, children: toJson(node.children) },
  );
const fromJson = (nodes: readonly JsonNode[]): TlvNode[] =>
  nodes.map((node) => tlv(node.tag, 'value' in node ? fromHex(node.value) : fromJson(node.children)));

function run(vector: Vector): unknown {
  switch (vector.inputs.op) {
    case 'decode':
      return { tlv: toJson(decodeTlv(hex(vector, 'hex'), { padding: 'strict' })) };
    case 'encode':
      return { hex: toHex(encodeTlv(fromJson(vector.inputs.tlv as JsonNode[]))) };
    case 'tagHeader':
      return tagHeader(hex(vector, 'hex'));
    case 'parseDol': {
      const entries = parseDol(hex(vector, 'hex'));
      return { entries, totalLength: dolLength(entries) };
    }
    default: {
      const values = new Map(
        (vector.inputs.values as { tag: string; value: string }[]).map((v) => [v.tag, v.value]),
      );
      const built = buildDol(hex(vector, 'hex'), (tag) => {
        const value = values.get(tag);
        return value === undefined ? undefined : fromHex(value);
      });
      return { hex: toHex(built) };
    }
  }
}

describe('BER-TLV, published vectors', () => {
  it.each(vectorsOf('bertlv').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    if (isNegative(vector))
      expect(() => run(vector)).toThrow(expect.objectContaining({ code: vector.expected.error }));
    else expect(run(vector)).toEqual(vector.expected);
  });
});

describe('decodeTlv', () => {
  it('skips the zero bytes that EMV allows between data objects, unless that is switched off', () => {
    expect(toJson(decodeTlv(fromHex('00009C01000070049C0101000000')))).toEqual([
      { tag: '9C', value: '00' },
      { tag: '70', children: [{ tag: '9C', value: '01' }] },
    ]);
    expect(toJson(decodeTlv(fromHex('0000'), { padding: 'strict' }))).toEqual([{ tag: '00', value: '' }]);
  });

  it('refuses nesting without end, an endless tag, an indefinite or giant length', () => {
    const deep = Buffer.concat(Array.from({ length: 40 }, (_, i) => Buffer.from([0xe0, 2 * (39 - i)])));
    expect(() => decodeTlv(deep)).toThrow(expect.objectContaining({ code: 'tooDeep' }));
    expect(() => decodeTlv(Buffer.alloc(5000, 0x9f).fill(0xff, 1))).toThrow(
      expect.objectContaining({ code: 'badTag' }),
    );
    expect(() => decodeTlv(fromHex('E0809C01000000'))).toThrow(
      expect.objectContaining({ code: 'badLength' }),
    );
    expect(() => decodeTlv(fromHex('9C88FFFFFFFFFFFFFFFF00'))).toThrow(
      expect.objectContaining({ code: 'truncated' }),
    );
    expect(() => decodeTlv(new Uint8Array((1 << 20) + 1))).toThrow(
      expect.objectContaining({ code: 'tooLong' }),
    );
  });
});

describe('finding', () => {
  const nodes = decodeTlv(fromHex('6F10840441424344A508500141BF0C02C000'));

  it('goes depth first', () => {
    expect(toHex(findTlv(nodes, '50') ?? Buffer.alloc(0))).toBe('41');
    expect(findTlv(nodes, '5A')).toBeUndefined();
    expect(findTemplate(nodes, 'BF0C')).toEqual([{ tag: 'C0', value: Buffer.alloc(0) }]);
    expect(findTemplate(nodes, '70')).toBeUndefined();
  });
});

describe('encodeTlv', () => {
  it('writes the shortest length', () => {
    expect(toHex(encodeTlv([tlv('9c', Buffer.alloc(127))])).slice(0, 4)).toBe('9C7F');
    expect(toHex(encodeTlv([tlv('9C', Buffer.alloc(128))])).slice(0, 6)).toBe('9C8180');
    expect(toHex(encodeTlv([tlv('9C', Buffer.alloc(256))])).slice(0, 8)).toBe('9C820100');
  });

  it('refuses a tag that is not one whole tag', () => {
    for (const tag of ['9F', '9C01', '']) {
      expect(() => encodeTlv([tlv(tag, Buffer.alloc(1))])).toThrow(
        expect.objectContaining({ code: 'badTag' }),
      );
    }
  });
});

describe('buildDol (EMV Book 3 §5.4)', () => {
  const build = (dol: string, tag: string, value: string) =>
    toHex(buildDol(fromHex(dol), (wanted) => (wanted === tag ? fromHex(value) : undefined)));

  it('keeps the low digits of numbers and fills them on the left', () => {
    expect(build('9F0202', '9F02', '000000001234')).toBe('1234');
    expect(build('9F0208', '9F02', '000000001234')).toBe('0000000000001234');
  });

  it('keeps the beginning of anything else, filling cn with F and others with zeros', () => {
    expect(build('9F2602', '9F26', '1122334455667788')).toBe('1122');
    expect(build('5A0A', '5A', '4000000000000002')).toBe('4000000000000002FFFF');
    expect(build('9F3706', '9F37', 'DEADBEEF')).toBe('DEADBEEF0000');
    expect(build('DF0103', 'DF01', 'AA')).toBe('AA0000');
  });

  it('gives zeros for what is unknown and for templates', () => {
    expect(build('9F1A029505', '9F1A', '0076')).toBe('00760000000000');
    expect(build('7002', '70', '9C00')).toBe('0000');
  });
});

describe('the tag dictionary', () => {
  it('has each tag once, well formed, templates being constructed', () => {
    expect(new Set(EMV_TAGS.map((info) => info.tag)).size).toBe(EMV_TAGS.length);
    for (const info of EMV_TAGS) {
      expect(tagHeader(info.tag).constructed, info.tag).toBe(info.format === 'template');
      expect(toHex(encodeTlv([tlv(info.tag, Buffer.alloc(0))]))).toBe(`${info.tag}00`);
    }
  });

  it('knows what may not be shown', () => {
    for (const tag of ['57', '5A', '56', '5F20', '99', '9F6B', '9F1F', '9F20'])
      expect(isSensitiveTag(tag)).toBe(true);
    expect(isSensitiveTag('9F26')).toBe(false);
    expect(tagInfo('9F36')?.name).toMatch(/Transaction Counter/);
    expect(tagInfo('DF7F')).toBeUndefined();
  });
});
