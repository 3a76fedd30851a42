import { equalConstantTime, wipe } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import type { BlockKey } from './remote-key.js';

/** Half of an AES block: what the method moves at once. */
const SEMI_BLOCK_BYTES = 8;
/** Least whole key that the method takes. */
const MIN_KEY_BYTES = 16;
const ROUNDS = 6;
/** The integrity check value (RFC 3394 §2.2.3.1). */
const CHECK = Buffer.alloc(SEMI_BLOCK_BYTES, 0xa6);

/**
 * A key wrapped under an AES key that need not be at hand as bytes: AES Key Wrap (RFC 3394, NIST SP 800-38F KW). Eight bytes longer than the key.
 * @throws CryptoError badKeyLength when the key is no whole number of eight bytes, or shorter than 16
 */
export function wrapKey(kek: Pick<BlockKey, 'encrypt'>, key: Uint8Array): Buffer {
  if (key.length < MIN_KEY_BYTES || key.length % SEMI_BLOCK_BYTES !== 0)
    throw new CryptoError('badKeyLength', `${key.length} bytes cannot be wrapped`);
  const count = key.length / SEMI_BLOCK_BYTES;
  const state = Buffer.concat([CHECK, key]);
  for (let step = 1; step <= ROUNDS * count; step += 1) {
    const at = (((step - 1) % count) + 1) * SEMI_BLOCK_BYTES;
    turn(state, at, kek.encrypt);
    mixStep(state, step);
  }
  return state;
}

/**
 * The key out of {@link wrapKey}; the caller wipes it.
 * @throws CryptoError badLength; badTag when it was wrapped under another key, or changed
 */
export function unwrapKey(kek: Pick<BlockKey, 'decrypt'>, wrapped: Uint8Array): Buffer {
  const keyBytes = wrapped.length - SEMI_BLOCK_BYTES;
  if (keyBytes < MIN_KEY_BYTES || keyBytes % SEMI_BLOCK_BYTES !== 0)
    throw new CryptoError('badLength', `${wrapped.length} bytes are no wrapped key`);
  const count = keyBytes / SEMI_BLOCK_BYTES;
  const state = Buffer.from(wrapped);
  for (let step = ROUNDS * count; step >= 1; step -= 1) {
    const at = (((step - 1) % count) + 1) * SEMI_BLOCK_BYTES;
    mixStep(state, step);
    turn(state, at, kek.decrypt);
  }
  const key = Buffer.from(state.subarray(SEMI_BLOCK_BYTES));
  const isRight = equalConstantTime(state.subarray(0, SEMI_BLOCK_BYTES), CHECK);
  wipe(state);
  if (isRight) return key;
  wipe(key);
  throw new CryptoError('badTag');
}

/** One block operation on the check value and the semi-block at a place. */
function turn(state: Buffer, at: number, operation: BlockKey['encrypt']): void {
  const block = Buffer.concat([
    state.subarray(0, SEMI_BLOCK_BYTES),
    state.subarray(at, at + SEMI_BLOCK_BYTES),
  ]);
  const turned = operation(block);
  turned.copy(state, 0, 0, SEMI_BLOCK_BYTES);
  turned.copy(state, at, SEMI_BLOCK_BYTES);
  wipe(block, turned);
}

/** The number of the step, mixed into the check value. */
function mixStep(state: Buffer, step: number): void {
  state.writeUInt32BE((state.readUInt32BE(4) ^ step) >>> 0, 4);
}
