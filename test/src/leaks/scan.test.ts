import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scanBytes, scanFolder } from './scan.js';
import { byteSecret, digitSecret } from './secret.js';

const PAN = '4200000000000018';
const PIN = '123987456012';
const KEY = Buffer.from('0F1E2D3C4B5A69788796A5B4C3D2E1F0', 'hex');
const secrets = [digitSecret('pan', PAN), digitSecret('pin', PIN), byteSecret('key', KEY)];
const noise = Buffer.from('some other bytes around it ');

/** The planted forms, each at every small shift, so that no alignment hides it. */
const planted: readonly [string, Buffer, string][] = [
  ['a PAN as text', Buffer.from(PAN), 'ascii'],
  ['a PAN as BCD', Buffer.from(PAN, 'hex'), 'bcd'],
  ['a PAN as BCD behind half a byte', Buffer.from(`A${PAN}F`, 'hex'), 'bcd'],
  ['a PAN as hex of its text', Buffer.from(Buffer.from(PAN).toString('hex')), 'hex of ascii'],
  ['a PIN as text', Buffer.from(PIN), 'ascii'],
  ['a PIN as BCD', Buffer.from(PIN, 'hex'), 'bcd'],
  ['a key as bytes', KEY, 'raw'],
  ['a key as hex', Buffer.from(KEY.toString('hex').toUpperCase()), 'hex'],
];

describe('scan', () => {
  it.each(planted)('finds %s', (_, form, encoding) => {
    const file = Buffer.concat([noise, form, noise]);
    expect(scanBytes('f', file, secrets).map((leak) => leak.encoding)).toContain(encoding);
  });

  it.each([0, 1, 2, 3])('finds PAN, PIN and key in base64 behind %i other bytes', (shift) => {
    for (const value of [
      Buffer.from(PAN),
      Buffer.from(PAN, 'hex'),
      Buffer.from(PIN),
      Buffer.from(PIN, 'hex'),
      KEY,
    ]) {
      const text = Buffer.concat([Buffer.alloc(shift, 0x55), value, Buffer.from('end')]).toString('base64');
      expect(scanBytes('f', Buffer.from(`{"x":"${text}"}`), secrets)).not.toEqual([]);
    }
  });

  it('finds nothing in other bytes', () => {
    expect(scanBytes('f', Buffer.concat([noise, Buffer.from('4200000000000019'), noise]), secrets)).toEqual(
      [],
    );
  });

  it('takes a byte before empty space for no card, and finds such a card as track 2', () => {
    const round = [digitSecret('round pan', '4200000000000000')];
    const page = Buffer.concat([noise, Buffer.from('0fce4200000000000000000000', 'hex'), noise]);
    expect(scanBytes('f', page, round)).toEqual([]);
    expect(scanBytes('f', Buffer.from(Buffer.alloc(12).toString('base64')), round)).toEqual([]);
    expect(scanBytes('f', Buffer.from('4200000000000000'), round)).not.toEqual([]);
    const track = Buffer.from('4200000000000000D31122010', 'hex');
    expect(scanBytes('f', Buffer.concat([noise, track]), round)).not.toEqual([]);
  });

  it('refuses secrets so short that chance would find them', () => {
    expect(() => digitSecret('pin', '1234')).toThrow(/at least 12 digits/);
    expect(() => byteSecret('kcv', Buffer.alloc(3))).toThrow(/at least 8 bytes/);
  });
});

describe('scan of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leaks-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('looks everywhere but in what is exempt by name', () => {
    mkdirSync(join(folder, 'agent', 'deep'), { recursive: true });
    mkdirSync(join(folder, 'simulator'));
    writeFileSync(
      join(folder, 'agent', 'deep', 'journal.db'),
      Buffer.concat([noise, Buffer.from(PAN, 'hex')]),
    );
    writeFileSync(join(folder, 'agent', 'key.pem'), KEY);
    writeFileSync(join(folder, 'simulator', 'cards.json'), PAN);
    const leaks = scanFolder(folder, secrets, ['simulator/', 'agent/key.pem']);
    expect(leaks).toEqual([
      { file: 'agent/deep/journal.db', secret: 'pan', encoding: 'bcd', offset: noise.length },
    ]);
    expect(
      scanFolder(folder, secrets)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(['agent/deep/journal.db', 'agent/key.pem', 'simulator/cards.json']);
  });
});
