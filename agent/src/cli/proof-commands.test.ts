import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countersignHead } from '@tillbridge/wire/bridge/countersigned-head.js';
import { keyFingerprint, spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { leafDigest, saleTag } from '@tillbridge/wire/digest/node-digest.js';
import { readProof } from '@tillbridge/wire/proof/read-proof.js';
import {
  encodeProof,
  isSaleRow,
  type OtherRow,
  type SaleProof,
  type SaleRow,
} from '@tillbridge/wire/proof/sale-proof.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rowHash } from '../journal/hash-chain.js';
import { JOURNAL_LIMITS, noSaleRow } from '../journal/journal.js';
import { type ProvenHome, provenHome } from '../proof/proven-home.test.support.js';
import { compactSale } from '../sale/records/compacted-sale.js';
import { TEST_GATEWAY_KEY, TEST_PINS } from '../uplink/enrolled-home.test.support.js';
import { runCommandLine } from './main-command.js';

const FINGERPRINT = toHex(keyFingerprint(TEST_PINS.identityKeys[0] ?? new Uint8Array()));

let folder: string;
let open: ProvenHome[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-proof-'));
});
afterEach(async () => {
  for (const { journal } of open) await journal.close();
  open = [];
  rmSync(folder, { recursive: true });
});

async function newHome(name = 'agent', agentId = 'store-1'): Promise<ProvenHome> {
  const home = await provenHome(join(folder, name), agentId);
  open.push(home);
  return home;
}

async function cli(...argv: string[]) {
  const out: string[] = [];
  const notes: string[] = [];
  const exitCode = await runCommandLine(argv, {
    env: { GATEWAY_BRIDGE_URL: 'ws://127.0.0.1:9/bridge', TILLBRIDGE_HOME: folder },
    output: { out: (text) => out.push(text), note: (text) => notes.push(text) },
    run: async () => 0,
  });
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') };
}

const proofPath = (name = 'proof'): string => join(folder, `${name}.json`);
const prove = (reference: string, name = 'proof', home = 'agent') =>
  cli('prove', reference, '--home', join(folder, home), '--output', proofPath(name));
const verify = (name = 'proof', ...more: string[]) =>
  cli('verify-proof', proofPath(name), '--gateway-key', FINGERPRINT, ...more);

/** A home with a sale that is proven, and one more after it. */
async function proven(): Promise<SaleProof> {
  const home = await newHome();
  await home.sell('before');
  await home.sell('R-1');
  await home.sell('after', 500);
  await home.countersign();
  expect((await prove('R-1')).exitCode).toBe(0);
  return readProof(readFileSync(proofPath(), 'utf8'));
}

describe('the proof of a sale', () => {
  it('is one file of its owner alone, and says what is proven and what is not', async () => {
    const proof = await proven();
    expect(statSync(proofPath()).mode & 0o077).toBe(0);
    expect(proof).toMatchObject({
      agentId: 'store-1',
      reference: 'R-1',
      cryptogram: { ac: '1A2B3C4D5E6F7081' },
    });
    expect(proof.receipt?.customer).toContain('12.34');
    const { exitCode, out } = await verify();
    expect(exitCode).toBe(0);
    expect(out).toContain('stood in the journal of agent store-1, generation 1, before its head 30.');
    expect(out).toContain(
      `The gateway with the key ${FINGERPRINT} countersigned that head on 2026-11-20 12:10:00 UTC.`,
    );
    expect(out).toContain('the sale R-1 of 12.34 EUR on terminal 77');
    expect(out).toContain('No other row of it stood in the journal up to row 30.');
    expect(out).toMatch(/Not proven:\n {2}- What happened after head 30/);
    const asJson = await verify('proof', '--json', '--agent', 'store-1');
    expect(JSON.parse(asJson.out)).toMatchObject({ ok: true, saleRows: [11, 13, 15, 17, 19], gaps: [] });
  });

  it('shows nothing of other sales but hashes', async () => {
    await proven();
    const text = readFileSync(proofPath(), 'utf8');
    for (const other of ['"before', 'between-', '"after']) expect(text).not.toContain(other);
  });

  it('is verified by the key in a file, too, and by a fingerprint with colons', async () => {
    await proven();
    const pem = join(folder, 'gateway.pem');
    writeFileSync(pem, generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
    expect((await cli('verify-proof', proofPath(), '--gateway-key', pem)).exitCode).toBe(1);
    const colons = FINGERPRINT.match(/../g)?.join(':') ?? '';
    expect((await cli('verify-proof', proofPath(), '--gateway-key', colons)).exitCode).toBe(0);
    expect((await cli('verify-proof', proofPath(), '--gateway-key', 'nothing')).exitCode).toBe(2);
    expect((await cli('verify-proof', proofPath())).notes).toContain('--gateway-key is missing');
    writeFileSync(proofPath('none'), '{"format":"something"}');
    expect(await verify('none')).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('format: expected'),
    });
  });
});

/** Rows of the only stretch, changed. */
function withRows(
  proof: SaleProof,
  change: (rows: readonly (SaleRow | OtherRow)[]) => readonly (SaleRow | OtherRow)[],
): SaleProof {
  return { ...proof, stretches: proof.stretches.map((each) => ({ ...each, rows: change(each.rows) })) };
}

const isKind = (kind: string) => (row: SaleRow | OtherRow) => isSaleRow(row) && row.kind === kind;

/** The proof with one row shown as that of another sale: a forger can compute its hash. */
function hidden(proof: SaleProof, kind: string): SaleProof {
  const [stretch] = proof.stretches;
  let previous = stretch?.previousHash ?? new Uint8Array();
  return withRows(proof, (rows) =>
    rows.map((row, at) => {
      const hash = isSaleRow(row)
        ? hashOf(row, proof.reference, (stretch?.firstRow ?? 0) + at, previous)
        : row.hash;
      previous = hash;
      return isKind(kind)(row) ? { hash, tag: saleTag(hash, proof.reference) } : row;
    }),
  );
}

function hashOf(row: SaleRow, reference: string, number: number, previous: Uint8Array): Uint8Array {
  const { blobHash: _none, ...fields } = row;
  return rowHash(previous, { ...fields, reference, row: number });
}

const otherKey = generateKeyPairSync('ed25519').privateKey;

const FORGERIES: readonly [string, string, (proof: SaleProof) => SaleProof][] = [
  [
    'a changed amount',
    'not-in-journal',
    (proof) =>
      withRows(proof, (rows) =>
        rows.map((row) =>
          isKind('accepted')(row)
            ? { ...(row as SaleRow), dataText: (row as SaleRow).dataText.replace('1234', '9234') }
            : row,
        ),
      ),
  ],
  [
    'a changed time',
    'not-in-journal',
    (proof) =>
      withRows(proof, (rows) => rows.map((row) => (isSaleRow(row) ? { ...row, atMs: row.atMs - 1 } : row))),
  ],
  ['a dropped row, shown as one of another sale', 'dropped-row', (proof) => hidden(proof, 'ended')],
  [
    'a dropped row under a tag that hides it',
    'not-in-journal',
    (proof) =>
      withRows(hidden(proof, 'answered'), (rows) =>
        rows.map((row) => (isSaleRow(row) ? row : { ...row, tag: leafDigest(row.tag, 'x') })),
      ),
  ],
  [
    'a dropped row, left out',
    'dropped-row',
    (proof) => withRows(proof, (rows) => rows.filter((row) => !isKind('answered')(row))),
  ],
  ['dropped last rows', 'dropped-row', (proof) => withRows(proof, (rows) => rows.slice(0, -13))],
  [
    'rows in another order',
    'not-in-journal',
    (proof) => withRows(proof, ([a, b, c, d, ...rest]) => [a, b, c, d, ...rest].reverse() as SaleRow[]),
  ],
  ['another reference', 'not-in-journal', (proof) => ({ ...proof, reference: 'R-2' })],
  ['another agent’s name', 'bad-signature', (proof) => ({ ...proof, agentId: 'store-2' })],
  [
    'an earlier time',
    'bad-signature',
    (proof) => ({ ...proof, head: { ...proof.head, timeMs: proof.head.timeMs - 1 } }),
  ],
  [
    'another root',
    'bad-signature',
    (proof) => ({ ...proof, head: { ...proof.head, root: leafDigest(proof.head.root, '') } }),
  ],
  [
    'a head that another gateway signed',
    'other-gateway',
    (proof) => ({ ...proof, head: countersignHead('store-1', proof.head, otherKey) }),
  ],
  [
    'a head under the gateway’s name that another key signed',
    'bad-signature',
    (proof) => ({
      ...proof,
      head: { ...countersignHead('store-1', proof.head, otherKey), key: spkiOf(TEST_GATEWAY_KEY) },
    }),
  ],
  ['a changed path', 'not-in-journal', (proof) => ({ ...proof, path: [...proof.path].reverse() })],
  ['a longer path', 'not-in-journal', (proof) => ({ ...proof, path: [...proof.path, proof.head.root] })],
  [
    'another cryptogram',
    'other-cryptogram',
    (proof) => ({ ...proof, cryptogram: { ...proof.cryptogram, ac: 'FFFFFFFFFFFFFFFF' } }),
  ],
  [
    'a changed receipt',
    'other-receipt',
    (proof) => ({
      ...proof,
      ...(proof.receipt && {
        receipt: { ...proof.receipt, customer: proof.receipt.customer.replace('12.34', '92.34') },
      }),
    }),
  ],
  ['no rows', 'outside-head', (proof) => ({ ...proof, stretches: [] })],
  [
    'rows twice',
    'outside-head',
    (proof) => ({ ...proof, stretches: [...proof.stretches, ...proof.stretches] }),
  ],
];

describe('a forged proof', () => {
  it.each(FORGERIES)('with %s is refused (%s)', async (_name, fault, forge) => {
    const proof = await proven();
    writeFileSync(proofPath('forged'), encodeProof(forge(proof)));
    const { exitCode, out } = await verify('forged');
    expect(out).toContain(`REFUSED (${fault})`);
    expect(exitCode).toBe(1);
  });

  it('of another journal is refused: its rows under this head, its head under these rows, another agent', async () => {
    const proof = await proven();
    const other = await newHome('other', 'store-2');
    await other.sell('before');
    await other.sell('R-1', 9_999);
    await other.sell('after', 500);
    await other.countersign();
    expect((await prove('R-1', 'other', 'other')).exitCode).toBe(0);
    const foreign = readProof(readFileSync(proofPath('other'), 'utf8'));
    expect(JSON.parse((await verify('other', '--json')).out)).toMatchObject({ ok: true });
    expect((await verify('other', '--agent', 'store-1')).out).toContain('REFUSED (other-agent)');
    writeFileSync(proofPath('mixed'), encodeProof({ ...foreign, agentId: 'store-1', head: proof.head }));
    expect((await verify('mixed')).out).toContain('REFUSED (not-in-journal)');
    writeFileSync(proofPath('headed'), encodeProof({ ...proof, head: foreign.head }));
    expect((await verify('headed')).out).toContain('REFUSED (bad-signature)');
  });
});

describe('a sale that cannot be proven', () => {
  it('is none, or is not countersigned yet', async () => {
    const home = await newHome();
    await home.sell('R-1');
    expect(await prove('R-9')).toMatchObject({ exitCode: 2, notes: 'the journal has no sale R-9' });
    expect(await prove('R-1')).toMatchObject({
      exitCode: 3,
      notes: expect.stringContaining('not countersigned row 9 yet'),
    });
    await home.countersign();
    await home.sell('R-2');
    expect((await prove('R-1')).exitCode).toBe(0);
    expect((await prove('R-2', 'later')).notes).toContain('yet, only row 10');
    expect((await prove('R-1')).notes).toContain('cannot be written (EEXIST)');
  });

  it('is one whose row holds card data: nothing is written', async () => {
    const home = await newHome();
    await home.sell('R-1');
    await home.append({
      kind: 'note',
      reference: 'R-1',
      terminalId: '77',
      data: { text: '4012001037141112' },
    });
    await home.countersign();
    expect(await prove('R-1')).toMatchObject({ exitCode: 1, notes: expect.stringContaining('card number') });
    expect(existsSync(proofPath())).toBe(false);
  });

  it('was removed by compaction, after which later sales stay provable', async () => {
    const home = await newHome();
    await home.sell('R-1');
    await home.sell('R-2');
    await home.countersign();
    expect((await prove('R-1', 'kept')).exitCode).toBe(0);
    const atMs = Date.UTC(2027, 0, 1);
    await home.journal.compact({ atMs, upToRow: 11, summarize: compactSale, carry: ['countersigned'] });
    expect(await prove('R-1')).toMatchObject({ exitCode: 2, notes: expect.stringContaining('were removed') });
    expect((await verify('kept')).exitCode).toBe(0);
    for (const reference of ['R-3', 'R-4']) await home.sell(reference);
    await home.countersign();
    for (const reference of ['R-3', 'R-4']) {
      expect((await prove(reference, reference)).exitCode).toBe(0);
      expect((await verify(reference)).exitCode).toBe(0);
    }
    await home.journal.compact({ atMs, upToRow: 30, summarize: compactSale, carry: ['countersigned'] });
    expect((await prove('R-4', 'again')).exitCode).toBe(0);
    expect((await verify('again')).exitCode).toBe(0);
  });

  it('shows where a sale that went on much later may have more rows', async () => {
    const home = await newHome();
    await home.sell('R-1');
    const note = noSaleRow('note', {});
    for (let left = 2_600; left > 0; left -= JOURNAL_LIMITS.maxRowsPerWrite)
      await home.append(
        ...Array.from({ length: Math.min(left, JOURNAL_LIMITS.maxRowsPerWrite) }, () => note),
      );
    await home.append({ kind: 'late-decline-acknowledged', reference: 'R-1', terminalId: '77', data: {} });
    await home.countersign();
    expect((await prove('R-1')).exitCode).toBe(0);
    const { out, exitCode } = await verify();
    expect(exitCode).toBe(0);
    expect(out).toContain('Whether a row of the sale stands among rows 10 to 2610: they are not shown.');
  });
});
