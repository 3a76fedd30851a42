import { MAX_TREE_SIZE } from '../digest/digest-tree.js';
import {
  type OtherRow,
  PROOF_FORMAT,
  PROOF_LIMITS,
  PROOF_VERSION,
  type ProofReceipt,
  type ProofStretch,
  type SaleProof,
  type SaleRow,
} from './sale-proof.js';

/** The text is no proof file that this build can read; the message names the field and the rule. */
export class ProofFormatError extends Error {
  override readonly name = 'ProofFormatError';
}

type Fields = Readonly<Record<string, unknown>>;

const DIGEST = 32;
const SIGNATURE = 64;
/** SubjectPublicKeyInfo of an Ed25519 key. */
const KEY = 44;
/** 9999-12-31, the last day of a date. */
const LAST_MS = 253_402_300_799_999;

/** Reads a proof file; works in a browser, too. Nothing of it is verified. @throws ProofFormatError */
export function readProof(text: string): SaleProof {
  if (text.length > PROOF_LIMITS.maxCharacters)
    throw new ProofFormatError(
      `the file has ${text.length} characters, at most ${PROOF_LIMITS.maxCharacters} are read`,
    );
  const file = fields(parsed(text), 'the file');
  if (file.format !== PROOF_FORMAT) throw new ProofFormatError(`format: expected "${PROOF_FORMAT}"`);
  if (file.version !== PROOF_VERSION)
    throw new ProofFormatError(`version: this build reads version ${PROOF_VERSION}; use a newer one`);
  const stretches = list(file.stretches, 'stretches', PROOF_LIMITS.maxStretches).map(stretch);
  const count = stretches.reduce((sum, { rows }) => sum + rows.length, 0);
  if (count > PROOF_LIMITS.maxRows)
    throw new ProofFormatError(`stretches: ${count} rows, at most ${PROOF_LIMITS.maxRows} are read`);
  return {
    writtenBy: string(file.writtenBy, 'writtenBy'),
    agentId: string(file.agentId, 'agentId'),
    reference: string(file.reference, 'reference'),
    head: head(fields(file.head, 'head')),
    stretches,
    path: list(file.path, 'path', PROOF_LIMITS.maxNodes).map((node, at) =>
      bytes(node, `path[${at}]`, DIGEST),
    ),
    ...(file.cryptogram !== undefined && { cryptogram: texts(file.cryptogram, 'cryptogram') }),
    ...(file.receipt !== undefined && { receipt: receipt(fields(file.receipt, 'receipt')) }),
  };
}

function head(value: Fields): SaleProof['head'] {
  return {
    generation: whole(value.generation, 'head.generation'),
    row: whole(value.row, 'head.row', 1),
    hash: bytes(value.hash, 'head.hash', DIGEST),
    root: bytes(value.root, 'head.root', DIGEST),
    timeMs: whole(value.timeMs, 'head.timeMs', 0, LAST_MS),
    key: bytes(value.key, 'head.key', KEY),
    signature: bytes(value.signature, 'head.signature', SIGNATURE),
  };
}

function stretch(value: unknown, at: number): ProofStretch {
  const name = `stretches[${at}]`;
  const { firstRow, previousHash, rows } = fields(value, name);
  return {
    firstRow: whole(firstRow, `${name}.firstRow`, 1),
    previousHash: bytes(previousHash, `${name}.previousHash`, DIGEST),
    rows: list(rows, `${name}.rows`, PROOF_LIMITS.maxRows).map((row, index) =>
      journalRow(row, `${name}.rows[${index}]`),
    ),
  };
}

function journalRow(value: unknown, name: string): SaleRow | OtherRow {
  const row = fields(value, name);
  if (row.kind === undefined)
    return {
      hash: bytes(row.hash, `${name}.hash`, DIGEST),
      tag: bytes(row.tag, `${name}.tag`, DIGEST),
    };
  return {
    atMs: whole(row.atMs, `${name}.atMs`, 0, LAST_MS),
    kind: string(row.kind, `${name}.kind`),
    terminalId: string(row.terminalId, `${name}.terminalId`),
    sequence: whole(row.sequence, `${name}.sequence`),
    dataText: string(row.dataText, `${name}.dataText`),
    ...optional('messageId', row.messageId, name),
    ...optional('statusOf', row.statusOf, name),
    ...optional('blobHash', row.blobHash, name),
  };
}

function receipt({ store, customer, merchant }: Fields): ProofReceipt {
  return {
    store: string(store, 'receipt.store'),
    customer: string(customer, 'receipt.customer'),
    merchant: string(merchant, 'receipt.merchant'),
  };
}

function optional<K extends string>(key: K, value: unknown, name: string): Partial<Record<K, string>> {
  if (value === undefined) return {};
  return { [key]: string(value, `${name}.${key}`) } as Partial<Record<K, string>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProofFormatError('the file is no JSON');
  }
}

function fields(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ProofFormatError(`${name}: expected an object`);
}

function list(value: unknown, name: string, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value;
  throw new ProofFormatError(`${name}: expected a list of at most ${most} entries`);
}

function texts(value: unknown, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(fields(value, name));
  return Object.fromEntries(entries.map(([key, text]) => [key, string(text, `${name}.${key}`)]));
}

function string(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length <= PROOF_LIMITS.maxTextLength) return value;
  throw new ProofFormatError(`${name}: expected a text of at most ${PROOF_LIMITS.maxTextLength} characters`);
}

function whole(value: unknown, name: string, least = 0, most = MAX_TREE_SIZE): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ProofFormatError(`${name}: expected a whole number from ${least} to ${most}`);
}

function bytes(value: unknown, name: string, length: number): Uint8Array {
  const found = typeof value === 'string' ? decoded(value) : undefined;
  if (found?.length === length) return found;
  throw new ProofFormatError(`${name}: expected ${length} bytes in base64`);
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
