import { wipe, xorBytes } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { tdesEncryptEcb, withOddParity } from '../ciphers/tdes.js';

/** Shape of the tree of session keys (EMV2000 Book 2 A1.3). */
interface Emv2000Tree {
  readonly height: number;
  readonly branch: number;
  /** 16 bytes; zeros at most issuers. */
  readonly iv: Uint8Array;
}

/** Counters that a tree may have to serve: the ATC has two bytes. */
const ATC_VALUES = 1 << 16;
/** Levels above this cannot differ for a two-byte counter with the smallest branch factor. */
const MAX_HEIGHT = 16;

/**
 * The session key of a counter in the EMV2000 tree, odd parity. Only the path from the root to the leaf is computed.
 * @param iccMk ICC master key, 16 bytes
 * @throws CryptoError badKeyLength, badArgument
 */
export function emv2000SessionKey(iccMk: Uint8Array, atc: number, tree: Emv2000Tree): Buffer {
  const { height, branch, iv } = tree;
  if (iccMk.length !== 16) throw new CryptoError('badKeyLength', `${iccMk.length} bytes, expected 16`);
  requireTree(tree);
  if (!Number.isInteger(atc) || atc < 0 || atc >= ATC_VALUES)
    throw new CryptoError('badArgument', 'ATC is not of 2 bytes');
  let grandparent: Buffer = Buffer.from(iv);
  let parent: Buffer = Buffer.from(iccMk);
  for (let level = 1; level <= height; level += 1) {
    const index = Math.floor(atc / branch ** (height - level));
    const node = child(parent, grandparent, index % branch);
    if (level === height) {
      // At the leaf "IK(H-2)" is the grandparent of this step.
      const raw = xorBytes(node, grandparent);
      const key = withOddParity(raw);
      wipe(raw, node, parent, grandparent);
      return key;
    }
    wipe(grandparent);
    grandparent = parent;
    parent = node;
  }
  throw new CryptoError('badArgument', 'a tree has at least one level');
}

/** The function called phi: one key under the parent from the halves of the grandparent and the branch number. */
function child(parent: Uint8Array, grandparent: Uint8Array, branchNumber: number): Buffer {
  const input = Buffer.from(grandparent);
  input[7] = (input[7] ?? 0) ^ branchNumber;
  input[15] = (input[15] ?? 0) ^ branchNumber ^ 0xf0;
  const key = tdesEncryptEcb(parent, input);
  wipe(input);
  return key;
}

function requireTree({ height, branch, iv }: Emv2000Tree): void {
  if (!Number.isInteger(height) || height < 1 || height > MAX_HEIGHT) {
    throw new CryptoError('badArgument', `tree height is not 1 to ${MAX_HEIGHT}`);
  }
  if (!Number.isInteger(branch) || branch < 2 || branch > 256) {
    throw new CryptoError('badArgument', 'branch factor is not 2 to 256');
  }
  if (iv.length !== 16) throw new CryptoError('badArgument', `tree IV has ${iv.length} bytes, expected 16`);
}
