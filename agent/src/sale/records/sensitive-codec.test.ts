import { wipe } from '@tillbridge/wire/bytes.js';
import { describe, expect, it } from 'vitest';
import { decodeSensitive, encodeSensitive, SensitiveFormatError } from './sensitive-codec.js';

const data = {
  messageId: 'm-1',
  iccData: Buffer.from('9F270140', 'hex'),
  sred: { data: Buffer.from('0102030405060708', 'hex'), ksn: Buffer.from('FFFF9876543210E00001', 'hex') },
};

describe('sensitive data of a message', () => {
  it('survives the wiping of the buffer it was read from', () => {
    const bytes = Buffer.from(encodeSensitive(data));
    const read = decodeSensitive('m-1', bytes);
    wipe(bytes);
    expect(Buffer.from(read.sred?.ksn ?? []).equals(data.sred.ksn)).toBe(true);
    expect(Buffer.from(read.sred?.data ?? []).equals(data.sred.data)).toBe(true);
    expect(Buffer.from(read.iccData).equals(data.iccData)).toBe(true);
  });

  it('reads a message without account data as such', () => {
    const { messageId, iccData } = data;
    expect('sred' in decodeSensitive(messageId, encodeSensitive({ messageId, iccData }))).toBe(false);
  });

  it.each(['', '0001', '000201', '0000000000000000'])('refuses %s', (hex) => {
    expect(() => decodeSensitive('m-1', Buffer.from(hex, 'hex'))).toThrow(SensitiveFormatError);
  });
});
