import { gcm } from '@noble/ciphers/aes.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { describe, expect, it } from 'vitest';
import { encipher } from './encipher.js';

/** The key of the family's public vectors (docs/webhooks.md). */
const KEY = fromHex('000102030405060708090a0b0c0d0e0f'.repeat(2));

describe('a delivery', () => {
  it('is the first public vector', () => {
    expect(encipher(KEY, new Uint8Array(12), '{"type":"PAYMENT"}', 'hex')).toEqual({
      headers: {
        'Content-Type': 'text/plain; charset=UTF-8',
        'X-Initialization-Vector': '000000000000000000000000',
        'X-Authentication-Tag': 'CE573FB7A41AB78E743180DC83FF09BD',
      },
      body: '0A3471C72D9BE49A8520F79C66BBD9A12FF9',
    });
  });

  it('has the tag of the second public vector', () => {
    const { headers } = encipher(KEY, fromHex('3D575574536D450F71AC76D8'), '{"type": "PAYMENT"}', 'hex');
    expect(headers).toMatchObject({
      'X-Initialization-Vector': '3D575574536D450F71AC76D8',
      'X-Authentication-Tag': '19FDD068C6F383C173D3A906F7BD1D83',
    });
  });

  it('is deciphered by other code, in both forms', () => {
    const text = JSON.stringify({ type: 'PAYMENT', payload: { holder: 'Jörg Åse 漢字', amount: '12.34' } });
    const iv = fromHex('0102030405060708090A0B0C');
    const raw = encipher(KEY, iv, text, 'hex');
    const wrapped = encipher(KEY, iv, text, 'json');
    expect(JSON.parse(wrapped.body)).toEqual({ encryptedBody: raw.body });
    expect(raw.body).toMatch(/^[0-9A-F]+$/);
    const sealed = Buffer.from(raw.body + raw.headers['X-Authentication-Tag'], 'hex');
    expect(Buffer.from(gcm(KEY, iv).decrypt(sealed)).toString('utf8')).toBe(text);
  });
});
