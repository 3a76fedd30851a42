import type { AcquirerAuthentication } from '../acquirers/authentication.js';
import { merchantOf } from '../payments/cards/registered.js';
import type { Fingerprint } from '../security/tokens/fingerprint.js';
import type { Store } from '../store/store.js';

/** Bytes of an authentication value that say whose it is and of which kind; those behind them prove it. */
const HEAD_BYTES = 4;
const PROOF_BYTES = 16;

/** What owners of proofs are found with. */
export interface ProofOwners {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly fingerprint: Fingerprint;
}

/** What an authentication value is found by; the value itself is not stored in clear. */
export function proofPrint(fingerprint: Fingerprint, verificationId: string): string {
  return fingerprint('authentication value', verificationId);
}

/**
 * The proof as this entity may use it. The value of an authentication that another merchant made here is replaced by one of the same
 * issuer that nobody made: it proves as much as a guessed value does, and the answer is that to a guess. Values that were not made here are
 * passed on as they are (spec 2.8).
 * @throws StoreUnavailableError
 */
export async function ownProof(
  { store, fingerprint }: ProofOwners,
  proof: AcquirerAuthentication,
  entityId: string,
): Promise<AcquirerAuthentication> {
  const { verificationId } = proof;
  if (verificationId === undefined) return proof;
  const [made] = await store.find('authentications', 'proof', [proofPrint(fingerprint, verificationId)], {
    limit: 1,
  });
  if (!made || (await merchantOf(store, made.entityId)) === (await merchantOf(store, entityId))) return proof;
  const guess = Buffer.from(fingerprint('guessed value', verificationId), 'hex').subarray(0, PROOF_BYTES);
  const head = Buffer.from(verificationId, 'base64').subarray(0, HEAD_BYTES);
  return { ...proof, verificationId: Buffer.concat([head, guess]).toString('base64') };
}
