import { createCipheriv, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';

// Payment cryptography written a second time, straight from the standards over node:crypto and nothing of this repository: what the vectors of
// `unpublished.test.ts` expect comes from here.

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const unhex = (text: string): Buffer => Buffer.from(text, 'hex');

function cipher(algorithm: string, key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer {
  const engine = createCipheriv(algorithm, key, iv);
  engine.setAutoPadding(false);
  return Buffer.concat([engine.update(data), engine.final()]);
}

/** AES-ECB, and CBC where there is a first chaining value. */
export function aes(key: Uint8Array, data: Uint8Array, iv: Uint8Array | null = null): Buffer {
  return cipher(`aes-${key.length * 8}-${iv ? 'cbc' : 'ecb'}`, key, iv, data);
}

/** Two-key TDES. */
export function tdes(key: Uint8Array, data: Uint8Array, iv: Uint8Array | null = null): Buffer {
  return cipher(`des-ede3-${iv ? 'cbc' : 'ecb'}`, Buffer.concat([key, key.subarray(0, 8)]), iv, data);
}

/** Algorithm indicator and bits of derived keys (X9.24-3 table 3). */
const TYPES: Readonly<Record<string, readonly [algorithm: number, bits: number]>> = {
  tdes2: [0, 128],
  tdes3: [1, 192],
  aes128: [2, 128],
  aes192: [3, 192],
  aes256: [4, 256],
  hmac128: [5, 128],
  hmac192: [5, 192],
  hmac256: [5, 256],
};

function step(key: Buffer, usage: number, type: string, tail: Uint8Array): Buffer {
  const [algorithm, bits] = TYPES[type] ?? [0, 0];
  const blocks = [1, 2].map((block) => {
    const head = Buffer.alloc(8);
    head.set([1, block]);
    head.writeUInt16BE(usage, 2);
    head.writeUInt16BE(algorithm, 4);
    head.writeUInt16BE(bits, 6);
    return Buffer.concat([head, tail]);
  });
  return aes(key, Buffer.concat(blocks)).subarray(0, bits / 8);
}

/** AES DUKPT (X9.24-3) on binary text: every prefix of the counter that ends in a one is a step. */
export class IndependentAesDukpt {
  readonly ik: Buffer;
  readonly derivationKey: Buffer;
  readonly #tail: (counter: number) => Buffer;
  readonly #counter: number;

  /** @param key base derivation key, or the initial key where `isInitial` */
  constructor(key: Buffer, ksn: Buffer, isInitial = false) {
    const type = `aes${key.length * 8}`;
    this.#counter = ksn.readUInt32BE(8);
    this.#tail = (counter) => {
      const tail = Buffer.alloc(8, 0);
      ksn.copy(tail, 0, 4, 8);
      tail.writeUInt32BE(counter, 4);
      return tail;
    };
    this.ik = isInitial ? key : step(key, 0x8001, type, ksn.subarray(0, 8));
    const bits = this.#counter.toString(2).padStart(32, '0');
    let reached = this.ik;
    for (let at = 0; at < 32; at += 1) {
      if (bits[at] !== '1') continue;
      const counter = Number.parseInt(bits.slice(0, at + 1).padEnd(32, '0'), 2);
      reached = step(reached, 0x8000, type, this.#tail(counter));
    }
    this.derivationKey = reached;
  }

  /** The working key of a usage and algorithm. */
  key(usage: number, type: string): Buffer {
    return step(this.derivationKey, usage, type, this.#tail(this.#counter));
  }
}

/** Format 4 of ISO 9564-1 for a PAN of 16 digits. */
export function pinBlock4(key: Buffer, pin: string, pan: string, fill: string): string {
  const pinField = unhex(`4${pin.length.toString(16)}${pin.padEnd(14, 'A')}${fill}`);
  const panField = unhex(`4${pan}`.padEnd(32, '0'));
  const once = aes(key, pinField).map((byte, i) => byte ^ (panField[i] ?? 0));
  return hex(aes(key, Buffer.from(once)));
}

/** A clear block of formats 0 to 3 with fill nibble `F`, or `A` in format 3. */
export function clearPinBlock(format: 0 | 1 | 2 | 3, pin: string, pan: string): Buffer {
  const block = unhex(`${format}${pin.length.toString(16)}${pin.padEnd(14, format === 3 ? 'A' : 'F')}`);
  if (format === 1 || format === 2) return block;
  const field = unhex(`0000${pan.slice(-13, -1)}`);
  return Buffer.from(block.map((byte, i) => byte ^ (field[i] ?? 0)));
}

/** HMAC-SHA-256 as hex. */
export function hmac(key: Buffer, text: string): string {
  return hex(createHmac('sha256', key).update(text, 'latin1').digest());
}

function lengthPrefixed(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.byteLength(part));
      return [length, Buffer.from(part)];
    }),
  );
}

/** A key pair of P-256 that stands for a wallet, from a fixed secret: the same at every run. */
function walletKey(seed: number) {
  const scalar = Buffer.alloc(32, seed);
  const pkcs8 = Buffer.concat([
    unhex('3041020100301306072A8648CE3D020106082A8648CE3D030107042730250201010420'),
    scalar,
  ]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
  return { spki, sign: (data: Buffer) => sign('sha256', data, privateKey).toString('base64') };
}

/** A token of the signing-only scheme with its trust, made by keys of our own. */
export function signingOnlyToken(message: string, keyExpiration: number) {
  const [root, intermediate] = [walletKey(0x11), walletKey(0x22)];
  const version = 'ECv2SigningOnly';
  const signedKey = JSON.stringify({ keyValue: intermediate.spki, keyExpiration: String(keyExpiration) });
  return {
    rootSigningKeysSpkiBase64: [root.spki],
    token: {
      protocolVersion: version,
      signedMessage: message,
      signature: intermediate.sign(lengthPrefixed('Google', 'merchant:12345', version, message)),
      intermediateSigningKey: {
        signedKey,
        signatures: [root.sign(lengthPrefixed('Google', version, signedKey))],
      },
    },
  };
}
