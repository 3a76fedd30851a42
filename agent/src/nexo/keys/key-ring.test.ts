import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TILL_RIGHTS } from '../../access/rights.js';
import { NEXO_FILES } from '../../home/home-files.js';
import { sentMessage } from '../messages/message.js';
import { MessageCipher, type NexoKey } from '../messages/message-cipher.js';
import { KeyFile } from './key-file.js';
import { KeyRing } from './key-ring.js';

const STORE = { identifier: 'store', version: 1, passphrase: 'the passphrase of the store' };
const FRONT = {
  identifier: 'front',
  version: 1,
  passphrase: 'the passphrase of front',
  saleIds: ['till-1'],
  rights: ['sell'],
};
const FRONT_2 = { ...FRONT, version: 2, passphrase: 'a newer passphrase of front' };

let home: string;
let faults: object[];
const path = () => join(home, NEXO_FILES.messageKey);
const write = (keys: unknown, mode = 0o600) => {
  writeFileSync(path(), typeof keys === 'string' ? keys : JSON.stringify(keys), { mode });
  chmodSync(path(), mode);
};
const file = (keyFile?: string) => new KeyFile(home, keyFile, systemRandom);
const ring = () =>
  new KeyRing({ file: file(), random: systemRandom, log: { error: (about) => void faults.push(about) } });

/** A message of a till under a key, as it comes over the line. */
function from(key: NexoKey, saleId: string) {
  const header = {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: 'Login',
    MessageType: 'Request',
    ServiceID: '1',
    SaleID: saleId,
    POIID: '11',
  } as const;
  const message = { SaleToPOIRequest: { MessageHeader: header, LoginRequest: {} } };
  const sealed = new MessageCipher(key, systemRandom).seal(header, message);
  return sentMessage(JSON.parse(JSON.stringify({ SaleToPOIRequest: sealed })));
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-nexo-'));
  faults = [];
});
afterEach(() => rmSync(home, { recursive: true }));

describe('the file of the keys', () => {
  it('is made with one key at the first start, and stays', () => {
    const [key] = file().changed() ?? [];
    expect(key).toMatchObject({ identifier: 'tillbridge', version: 1, rights: TILL_RIGHTS });
    expect(key?.passphrase).toHaveLength(43);
    expect(file().changed()).toEqual([key]);
  });

  it.each([
    ['no JSON', '{', 0o600, 'the file is not JSON'],
    ['a short passphrase', '{"identifier":"a","version":1,"passphrase":"short"}', 0o600, '16 characters'],
    ['no version', '{"identifier":"a","passphrase":"long enough as it is"}', 0o600, 'version'],
    ['a mode for all', '{}', 0o644, '0600'],
    ['no key', [], 0o600, '1 to 256 keys'],
    ['one key twice', [STORE, STORE], 0o600, 'two keys'],
    ['a wrong SaleID', [STORE, { ...FRONT, saleIds: [' '] }], 0o600, '[1].saleIds[0] must be a SaleID'],
    ['no SaleID', [{ ...FRONT, saleIds: [] }], 0o600, 'saleIds'],
    ['an unknown right', [{ ...FRONT, rights: ['resell'] }], 0o600, 'rights[0] must be one of sell, refund'],
    [
      'an unknown field',
      [{ ...FRONT, right: ['sell'] }],
      0o600,
      'right is no known field; did you mean rights?',
    ],
  ])('is refused with %s, and never shown', (_what, keys, mode, named) => {
    write(keys, mode);
    expect(() => file().changed()).toThrow(named);
    expect(() => file().changed()).not.toThrow('passphrase of');
  });

  it('gives the right to card details to no key that does not name it', () => {
    write([STORE, { ...FRONT, rights: ['sell', 'card-details'] }]);
    const rights = file()
      .changed()
      ?.map((key) => key.rights);
    expect(rights).toEqual([TILL_RIGHTS, ['sell', 'card-details']]);
    expect(TILL_RIGHTS).not.toContain('card-details');
  });

  it('with a configured name must be there', () => {
    expect(() => file(join(home, 'other.json'))).toThrow('is not there');
  });
});

describe('the keys of tills', () => {
  it('open a message as the till that has its key, and say which part of the name differs', () => {
    write([STORE, FRONT, FRONT_2]);
    const keys = ring();
    expect(keys.open(from(FRONT, 'till-1')).caller).toMatchObject({ saleIds: ['till-1'], rights: ['sell'] });
    expect(keys.open(from(FRONT_2, 'till-1')).caller).toMatchObject({ saleIds: ['till-1'] });
    expect(keys.open(from(STORE, 'till-9')).caller.saleIds).toBe(undefined);
    const codeOf = (key: NexoKey) => {
      try {
        keys.open(from(key, 'till-1'));
        return 'opened';
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    expect(codeOf({ ...FRONT, identifier: 'back' })).toBe('key-identifier');
    expect(codeOf({ ...FRONT, version: 3 })).toBe('key-version');
    expect(codeOf({ ...FRONT, passphrase: STORE.passphrase })).toBe('bad-hmac');
    expect(() => keys.open(from({ ...FRONT, version: 3 }, 'till-1'))).toThrow('is 2');
  });

  it('send unsolicited messages to a till under the key that it used last', () => {
    write([STORE, FRONT, FRONT_2]);
    const keys = ring();
    const opens = (key: NexoKey, saleId: string) => {
      const cipher = keys.cipherOf(saleId);
      const header = { ...(from(key, saleId).header as object) } as never;
      const sealed = cipher?.seal(header, { SaleToPOIRequest: { MessageHeader: header } });
      return sealed?.SecurityTrailer;
    };
    expect(opens(FRONT_2, 'till-1')).toMatchObject({ KeyIdentifier: 'front', KeyVersion: 2 });
    expect(opens(STORE, 'till-2')).toMatchObject({ KeyIdentifier: 'store' });
    keys.open(from(FRONT, 'till-1'));
    expect(opens(FRONT, 'till-1')).toMatchObject({ KeyIdentifier: 'front', KeyVersion: 1 });
    // A key that names another till is not remembered for it.
    keys.open(from(FRONT, 'till-2'));
    expect(opens(STORE, 'till-2')).toMatchObject({ KeyIdentifier: 'store' });
  });

  it('follow their file: a key that was taken out is refused at once, and a fault changes nothing', () => {
    write([STORE, FRONT]);
    const keys = ring();
    write([STORE]);
    expect(() => keys.open(from(FRONT, 'till-1'))).toThrow('names no key');
    write('{');
    expect(keys.open(from(STORE, 'till-1')).caller.rights).toEqual(TILL_RIGHTS);
    expect(keys.open(from(STORE, 'till-1')).caller.rights).toEqual(TILL_RIGHTS);
    expect(faults).toHaveLength(1);
    write([FRONT]);
    expect(keys.open(from(FRONT, 'till-1')).caller.rights).toEqual(['sell']);
    expect(keys.cipherOf('till-2')).toBe(undefined);
  });
});
