import { createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { keyFingerprint, spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import type { ProofFault } from '@tillbridge/wire/errors/proof-faults.js';
import { type ProofStatement, proofStatement } from '@tillbridge/wire/proof/proof-statement.js';
import { ProofFormatError, readProof } from '@tillbridge/wire/proof/read-proof.js';
import type { SaleProof } from '@tillbridge/wire/proof/sale-proof.js';
import { type ProvenSale, verifyProof } from '@tillbridge/wire/proof/verify-proof.js';
import { NODE_PROOF_CRYPTO } from './node-proof-crypto.js';
import { NoProofError } from './proof-errors.js';
import { hasOwnReceipt } from './proof-receipt.js';

/** What a proof has to be of. */
interface ProofOwner {
  /** Fingerprint of the gateway's key, 32 hex digits, or a file that holds the key in PEM. */
  readonly gatewayKey: string;
  /** Absent: any agent. */
  readonly agentId?: string;
}

/** What became of a proof. */
export type CheckedProof =
  | ({ readonly kind: 'proven'; readonly proof: SaleProof } & ProvenSale & ProofStatement)
  | { readonly kind: 'refused'; readonly proof: SaleProof; readonly fault: ProofFault };

/** Verifies a proof file without a network, its receipts too. @throws NoProofError where there is none, or the key cannot be read */
export async function checkProof(path: string, { gatewayKey, agentId }: ProofOwner): Promise<CheckedProof> {
  const expected = fingerprintOf(gatewayKey);
  const proof = read(path);
  const isGatewayKey = async (key: Uint8Array) => Buffer.compare(keyFingerprint(key), expected) === 0;
  const owner = { isGatewayKey, ...(agentId !== undefined && { agentId }) };
  const verdict = await verifyProof(proof, owner, NODE_PROOF_CRYPTO);
  if (verdict.kind === 'refused') return { ...verdict, proof };
  if (!hasOwnReceipt(proof)) return { kind: 'refused', proof, fault: 'other-receipt' };
  return { ...verdict, proof, ...proofStatement(proof, verdict, toHex(expected)) };
}

/** The page that verifies proofs in a browser, as it was bundled. */
const PAGE = new URL('dist/proof-page/verify-proof.html', packageFolder(import.meta.url));

/** Writes the page that verifies proofs in a browser. @throws NoProofError */
export function writeProofPage(path: string): void {
  try {
    writeFileSync(path, readFileSync(PAGE));
  } catch (error) {
    throw new NoProofError(`${path} cannot be written (${systemCode(error)}): give another --page`);
  }
}

const FINGERPRINT = /^[0-9A-Fa-f]{32}$/;

function fingerprintOf(text: string): Uint8Array {
  const digits = text.replace(/[: -]/g, '');
  if (FINGERPRINT.test(digits)) return fromHex(digits);
  try {
    return keyFingerprint(spkiOf(createPublicKey(readFileSync(text))));
  } catch {
    throw new NoProofError(
      `--gateway-key: ${text} is neither a fingerprint of 32 hex digits nor a file with a public key in PEM`,
    );
  }
}

function read(path: string): SaleProof {
  try {
    return readProof(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof ProofFormatError) throw new NoProofError(`${path}: ${error.message}`);
    throw new NoProofError(`${path} cannot be read (${systemCode(error)})`);
  }
}
