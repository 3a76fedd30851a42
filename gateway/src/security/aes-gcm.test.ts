import { readFileSync } from 'node:fs';
import { fromHex, toHex } from '@tillbridge/protocol/bytes.js';
import { CryptoError } from '@tillbridge/protocol/crypto/errors.js';
import { describe, expect, test } from 'vitest';
import { gcmDecrypt, gcmEncrypt } from './aes-gcm.js';

interface Vector {
  readonly name: string;
  readonly inputs: Readonly<Record<'op' | 'key' | 'iv' | 'aad', string>> & {
    readonly plaintext?: string;
    readonly ciphertext?: string;
    readonly tag?: string;
  };
  readonly expected: Readonly<Record<string, string>>;
}

const file = new URL('../../../test/vectors/vault-aes-gcm.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] };

function run({ inputs }: Vector): Record<string, string> {
  const [key, iv, aad] = [inputs.key, inputs.iv, inputs.aad].map(fromHex) as [Buffer, Buffer, Buffer];
  try {
    if (inputs.op === 'encrypt') {
      const { ciphertext, tag } = gcmEncrypt(key, iv, aad, fromHex(inputs.plaintext ?? ''));
      return { ciphertext: toHex(ciphertext), tag: toHex(tag) };
    }
    const clear = gcmDecrypt(key, iv, aad, fromHex(inputs.ciphertext ?? ''), fromHex(inputs.tag ?? ''));
    return { plaintext: toHex(clear) };
  } catch (error) {
    if (error instanceof CryptoError) return { error: error.rule };
    throw error;
  }
}

describe('AES-256-GCM on the published vectors', () => {
  test.each(vectors)('$name', (vector) => {
    expect(run(vector)).toEqual(vector.expected);
  });

  test('there are vectors of both kinds', () => {
    expect(new Set(vectors.map((vector) => vector.inputs.op))).toEqual(new Set(['encrypt', 'decrypt']));
  });
});
