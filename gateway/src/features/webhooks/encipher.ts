import { toHex } from '@tillbridge/wire/bytes.js';
import { type GcmKey, gcmSeal } from '@tillbridge/wire/crypto/ciphers/gcm.js';

/** How the ciphertext stands in the body: uppercase hex, or that in `{"encryptedBody"}`. */
type BodyFormat = 'hex' | 'json';

/** A delivery as it is sent. */
export interface EncipheredDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const NO_DATA = new Uint8Array();

/** Enciphers a notification under AES-256-GCM (docs/webhooks.md). The initial value is used once. Pure. */
export function encipher(key: GcmKey, iv: Uint8Array, text: string, format: BodyFormat): EncipheredDelivery {
  const { ciphertext, tag } = gcmSeal(key, iv, NO_DATA, Buffer.from(text));
  const hex = toHex(ciphertext);
  return {
    headers: {
      'Content-Type': format === 'json' ? 'application/json; charset=UTF-8' : 'text/plain; charset=UTF-8',
      'X-Initialization-Vector': toHex(iv),
      'X-Authentication-Tag': toHex(tag),
    },
    body: format === 'json' ? JSON.stringify({ encryptedBody: hex }) : hex,
  };
}
