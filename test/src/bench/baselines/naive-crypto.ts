import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

// The straightforward composition over node:crypto, one cipher object per block as one writes it from the standard: the
// baseline that the bench compares with. Nothing else may use it.

const xor = (a: Uint8Array, b: Uint8Array): Buffer => Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
const full = (key: Uint8Array): Buffer =>
  key.length === 8 ? Buffer.concat([key, key, key]) : Buffer.concat([key, key.subarray(0, 8)]);

function tdes(key: Uint8Array, block: Uint8Array): Buffer {
  const cipher = createCipheriv('des-ede3-ecb', full(key), null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

function aes(key: Uint8Array, block: Uint8Array): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

function decipherCbc(algorithm: string, key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  const cipher = createDecipheriv(algorithm, key, iv);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

const C0 = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex');
const DATA_VARIANT = Buffer.from('0000000000FF00000000000000FF0000', 'hex');

function oneWay(key: Buffer, register: Buffer): Buffer {
  const half = (k: Buffer) => xor(tdes(k.subarray(0, 8), xor(register, k.subarray(8))), k.subarray(8));
  return Buffer.concat([half(xor(key, C0)), half(key)]);
}

/** TDES DUKPT from the base key to the deciphered data. */
export function naiveTdesDukpt(bdk: Buffer, ksn: Buffer, data: Buffer): Buffer {
  const counter = ksn.readUInt32BE(6) & 0x1fffff;
  const register = Buffer.from(ksn);
  register.writeUInt32BE((ksn.readUInt32BE(6) & ~0x1fffff) >>> 0, 6);
  const id = register.subarray(0, 8);
  let key: Buffer = Buffer.concat([tdes(bdk, id), tdes(xor(bdk, C0), id)]);
  for (let bit = 0x100000; bit > 0; bit >>= 1) {
    if ((counter & bit) === 0) continue;
    register.writeUInt32BE((register.readUInt32BE(6) | bit) >>> 0, 6);
    key = oneWay(key, register.subarray(2));
  }
  const variant = xor(key, DATA_VARIANT);
  const dataKey = Buffer.concat([tdes(variant, variant.subarray(0, 8)), tdes(variant, variant.subarray(8))]);
  return decipherCbc('des-ede3-cbc', full(dataKey), Buffer.alloc(8), data);
}

function derivation(usage: number, id: Uint8Array): Buffer {
  const data = Buffer.alloc(16);
  data[0] = 1;
  data[1] = 1;
  data.writeUInt16BE(usage, 2);
  data.writeUInt16BE(2, 4);
  data.writeUInt16BE(128, 6);
  data.set(id, 8);
  return data;
}

/** AES-128 DUKPT from the base key to the deciphered data. */
export function naiveAesDukpt(bdk: Buffer, ksn: Buffer, data: Buffer): Buffer {
  const counter = ksn.readUInt32BE(8);
  let key = aes(bdk, derivation(0x8001, ksn.subarray(0, 8)));
  const id = Buffer.from(ksn.subarray(4));
  let reached = 0;
  for (let shift = 31; shift >= 0; shift -= 1) {
    const bit = (1 << shift) >>> 0;
    if ((counter & bit) === 0) continue;
    reached = (reached | bit) >>> 0;
    id.writeUInt32BE(reached, 4);
    key = aes(key, derivation(0x8000, id));
  }
  const dataKey = aes(key, derivation(0x3000, id));
  return decipherCbc('aes-128-cbc', dataKey, Buffer.alloc(16), data);
}

const ODD = (key: Buffer): Buffer =>
  Buffer.from(
    key.map((byte) => {
      let ones = 0;
      for (let rest = byte >> 1; rest > 0; rest >>= 1) ones += rest & 1;
      return (byte & 0xfe) | (ones % 2 === 0 ? 1 : 0);
    }),
  );

/** Master key to session key to ARQC to ARPC (option A, common session key, method 1 under the session key). */
export function naiveArqcArpc(
  imk: Buffer,
  pan: string,
  psn: string,
  atc: Buffer,
  data: Buffer,
  arc: Buffer,
): Buffer {
  const y = Buffer.from((pan + psn).slice(-16), 'hex');
  const icc = ODD(Buffer.concat([tdes(imk, y), tdes(imk, xor(y, Buffer.alloc(8, 0xff)))]));
  const r = (third: number) => Buffer.concat([atc, Buffer.from([third]), Buffer.alloc(5)]);
  const session = ODD(Buffer.concat([tdes(icc, r(0xf0)), tdes(icc, r(0x0f))]));
  const padded = Buffer.concat([data, Buffer.from([0x80]), Buffer.alloc((8 - ((data.length + 1) % 8)) % 8)]);
  let state: Buffer = Buffer.alloc(8);
  for (let at = 0; at < padded.length; at += 8)
    state = tdes(session.subarray(0, 8), xor(state, padded.subarray(at, at + 8)));
  const right = session.subarray(8);
  const back = createDecipheriv('des-ede3-ecb', full(right), null);
  back.setAutoPadding(false);
  const arqc = tdes(session.subarray(0, 8), Buffer.concat([back.update(state), back.final()]));
  return Buffer.concat([arqc, tdes(session, xor(arqc, Buffer.concat([arc, Buffer.alloc(6)])))]);
}

function naiveCmac(key: Buffer, data: Buffer): Buffer {
  const double = (value: Buffer): Buffer => {
    const shifted = (BigInt(`0x${value.toString('hex')}`) << 1n) & ((1n << 128n) - 1n);
    const reduced = (value[0] ?? 0) >= 0x80 ? shifted ^ 0x87n : shifted;
    return Buffer.from(reduced.toString(16).padStart(32, '0'), 'hex');
  };
  const k1 = double(aes(key, Buffer.alloc(16)));
  const isComplete = data.length > 0 && data.length % 16 === 0;
  const padded = isComplete
    ? data
    : Buffer.concat([data, Buffer.from([0x80]), Buffer.alloc((16 - ((data.length + 1) % 16)) % 16)]);
  const masked = Buffer.concat([
    padded.subarray(0, -16),
    xor(padded.subarray(-16), isComplete ? k1 : double(k1)),
  ]);
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(16));
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(masked), cipher.final()]).subarray(-16);
}

/** Opens a TR-31 D block without optional blocks under a 16-byte protection key. */
export function naiveTr31D(kbpk: Buffer, block: string): Buffer {
  const input = (usage: number) => Buffer.from([1, 0, usage, 0, 0, 2, 0, 128]);
  const encryption = naiveCmac(kbpk, input(0));
  const authentication = naiveCmac(kbpk, input(1));
  const mac = Buffer.from(block.slice(-32), 'hex');
  const clear = decipherCbc('aes-128-cbc', encryption, mac, Buffer.from(block.slice(16, -32), 'hex'));
  const expected = naiveCmac(authentication, Buffer.concat([Buffer.from(block.slice(0, 16)), clear]));
  // Comparing digests is the usual way to a constant time without a helper.
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  if (digest(expected) !== digest(mac)) throw new Error('MAC');
  return clear.subarray(2, 2 + clear.readUInt16BE(0) / 8);
}
