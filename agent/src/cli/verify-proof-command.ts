import { createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { keyFingerprint, spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { PROOF_FAULTS, type ProofFault } from '@tillbridge/wire/errors/proof-faults.js';
import { proofStatement } from '@tillbridge/wire/proof/proof-statement.js';
import { ProofFormatError, readProof } from '@tillbridge/wire/proof/read-proof.js';
import type { SaleProof } from '@tillbridge/wire/proof/sale-proof.js';
import { verifyProof } from '@tillbridge/wire/proof/verify-proof.js';
import { NODE_PROOF_CRYPTO } from '../proof/node-proof-crypto.js';
import { hasOwnReceipt } from '../proof/proof-receipt.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `verify-proof`. */
export interface VerifyProofOptions {
  /** Fingerprint of the gateway's key, or a file that holds the key in PEM. */
  readonly gatewayKey?: string;
  readonly agent?: string;
  readonly json?: boolean;
  /** Write the page that verifies in a browser into this file. */
  readonly page?: string;
}

/** The page that verifies proofs in a browser, as it was bundled. */
const PAGE = new URL('dist/proof-page/verify-proof.html', packageFolder(import.meta.url));

/**
 * Verifies a proof without a network, or writes the page that does it. Resolves with the exit code: 0 proven, 1 refused.
 * @throws CommandError 2: wrong usage, or no proof file
 */
export async function verifyProofFile(
  path: string | undefined,
  options: VerifyProofOptions,
  output: Output,
): Promise<number> {
  if (options.page !== undefined) writePage(options.page, output);
  if (path === undefined) {
    if (options.page === undefined)
      throw new CommandError(EXIT.usage, 'give the file of the proof, or --page FILE');
    return EXIT.ok;
  }
  if (options.gatewayKey === undefined)
    throw new CommandError(
      EXIT.usage,
      '--gateway-key is missing: give the fingerprint that "tillbridge-gateway agents gateway-key" prints, from a source that you trust',
    );
  const expected = fingerprintOf(options.gatewayKey);
  const proof = read(path);
  const verdict = await verifyProof(
    proof,
    {
      isGatewayKey: async (key) => Buffer.compare(keyFingerprint(key), expected) === 0,
      ...(options.agent !== undefined && { agentId: options.agent }),
    },
    NODE_PROOF_CRYPTO,
  );
  if (verdict.kind === 'refused') return refuse(verdict.fault, proof, options, output);
  if (!hasOwnReceipt(proof)) return refuse('other-receipt', proof, options, output);
  const { proven, notProven } = proofStatement(proof, verdict, toHex(expected));
  if (options.json)
    output.out(JSON.stringify({ ok: true, reference: proof.reference, ...verdict, proven, notProven }));
  else output.out([...titled('Proven:', proven), ...titled('Not proven:', notProven)].join('\n'));
  return EXIT.ok;
}

function refuse(
  fault: ProofFault,
  { reference, writtenBy }: SaleProof,
  { json }: VerifyProofOptions,
  output: Output,
): number {
  const [text, action] = PROOF_FAULTS[fault];
  if (json) output.out(JSON.stringify({ ok: false, reference, fault, text, writtenBy }));
  else output.out(`REFUSED (${fault}): ${text}.\n${action}.`);
  return EXIT.declined;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return [title, ...lines.map((line) => `  - ${line}`)];
}

const FINGERPRINT = /^[0-9A-Fa-f]{32}$/;

function fingerprintOf(text: string): Uint8Array {
  const digits = text.replace(/[: -]/g, '');
  if (FINGERPRINT.test(digits)) return fromHex(digits);
  try {
    return keyFingerprint(spkiOf(createPublicKey(readFileSync(text))));
  } catch {
    throw new CommandError(
      EXIT.usage,
      `--gateway-key: ${text} is neither a fingerprint of 32 hex digits nor a file with a public key in PEM`,
    );
  }
}

function read(path: string): SaleProof {
  try {
    return readProof(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof ProofFormatError) throw new CommandError(EXIT.usage, `${path}: ${error.message}`);
    throw new CommandError(EXIT.usage, `${path} cannot be read (${systemCode(error)})`);
  }
}

function writePage(path: string, output: Output): void {
  try {
    writeFileSync(path, readFileSync(PAGE));
  } catch (error) {
    throw new CommandError(
      EXIT.usage,
      `${path} cannot be written (${systemCode(error)}): give another --page`,
    );
  }
  output.note('open it in a browser; it loads nothing from a network:');
  output.out(path);
}
