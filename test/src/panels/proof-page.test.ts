import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommandLine } from '@tillbridge/agent/cli/main-command.js';
import { provenHome } from '@tillbridge/agent/proof/proven-home.test.support.js';
import { TEST_PINS } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { keyFingerprint } from '@tillbridge/wire/bridge/identity-key.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { readProof } from '@tillbridge/wire/proof/read-proof.js';
import { encodeProof, isSaleRow, type SaleProof } from '@tillbridge/wire/proof/sale-proof.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { openPanel, type PanelPage } from './panel-page.js';

const FINGERPRINT = toHex(keyFingerprint(TEST_PINS.identityKeys[0] ?? new Uint8Array()));

let folder: string;
let browser: Browser;
let panel: PanelPage;
const requests: string[] = [];

const path = (name: string): string => join(folder, name);

async function cli(...argv: string[]): Promise<number> {
  const output = { out: () => undefined, note: () => undefined };
  const env = { GATEWAY_BRIDGE_URL: 'ws://127.0.0.1:9/bridge', TILLBRIDGE_HOME: folder };
  return runCommandLine(argv, { env, output, run: async () => 0 });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proof-page-'));
  const home = await provenHome(path('agent'));
  await home.sell('R-1');
  await home.sell('R-2');
  await home.countersign();
  await home.journal.close();
  expect(await cli('prove', 'R-1', '--home', path('agent'), '--output', path('proof.json'))).toBe(0);
  const other = await provenHome(path('other'), 'store-2');
  await other.sell('R-1', 9_999);
  await other.sell('R-2');
  await other.countersign();
  await other.journal.close();
  expect(await cli('prove', 'R-1', '--home', path('other'), '--output', path('other.json'))).toBe(0);
  expect(await cli('verify-proof', '--page', path('page.html'))).toBe(0);
  const started = await browserOrReason({ webSecurity: true });
  if (typeof started === 'string') throw new Error(started);
  browser = started;
  panel = await openPanel(browser, pathToFileURL(path('page.html')).href);
  await panel.page.context().setOffline(true);
  panel.page.on('request', (request) => requests.push(request.url()));
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** What the page shows of a proof. */
async function shown(name: string, fingerprint = FINGERPRINT): Promise<string> {
  const { page } = panel;
  await page.setInputFiles('#proof', path(name));
  await page.fill('#fingerprint', fingerprint);
  await page.evaluate("document.querySelector('section').textContent = ''");
  await page.click('button');
  await page.waitForSelector('.verdict');
  return page.innerText('section');
}

const proofIn = (name: string): SaleProof => readProof(readFileSync(path(name), 'utf8'));

const forged = async (change: (proof: SaleProof) => SaleProof, of = 'proof.json'): Promise<string> => {
  const proof = proofIn(of);
  writeFileSync(path('forged.json'), encodeProof(change(proof)));
  return shown('forged.json');
};

describe('the page that verifies proofs', () => {
  it('says what is proven and what is not, from a file and without a network', async () => {
    const text = await shown('proof.json');
    expect(text).toContain('Verified.');
    expect(text).toContain('stood in the journal of agent store-1');
    expect(text).toContain(`The gateway with the key ${FINGERPRINT} countersigned that head`);
    expect(text).toContain('the sale R-1 of 12.34 EUR');
    expect(text).toContain('What happened after head 20');
    expect(requests).toEqual([]);
    expect(panel.faults).toEqual([]);
  });

  it('refuses another gateway, a changed head, a changed row, and what is no proof', async () => {
    expect(await shown('proof.json', '0'.repeat(32))).toContain('Refused (other-gateway)');
    expect(await forged((proof) => ({ ...proof, agentId: 'store-2' }))).toContain('Refused (bad-signature)');
    const lower = await forged((proof) => ({
      ...proof,
      stretches: proof.stretches.map((each) => ({
        ...each,
        rows: each.rows.map((row) =>
          'kind' in row ? { ...row, dataText: row.dataText.replaceAll('1234', '1') } : row,
        ),
      })),
    }));
    expect(lower).toContain('Refused (not-in-journal)');
    writeFileSync(path('none.json'), '{}');
    expect(await shown('none.json')).toContain('Not verified: format: expected');
    expect(await shown('proof.json', 'key')).toContain('Not verified: the fingerprint has 32 hex digits');
    expect(panel.faults).toEqual([]);
  });

  it('refuses the rows of another journal, under its head and under the one of this journal', async () => {
    expect(await shown('other.json')).toContain('stood in the journal of agent store-2');
    const { head } = proofIn('proof.json');
    expect(await forged((proof) => ({ ...proof, agentId: 'store-1' }), 'other.json')).toContain(
      'Refused (bad-signature)',
    );
    expect(await forged((proof) => ({ ...proof, agentId: 'store-1', head }), 'other.json')).toContain(
      'Refused (not-in-journal)',
    );
    expect(requests).toEqual([]);
  });

  it('refuses a proof without one of its rows', async () => {
    const { stretches } = proofIn('proof.json');
    const rows = stretches.flatMap((each) => each.rows).filter(isSaleRow);
    expect(rows.length).toBeGreaterThan(3);
    for (const { kind } of rows.slice(1, 4)) {
      const dropped = await forged((proof) => ({
        ...proof,
        stretches: proof.stretches.map((each) => ({
          ...each,
          rows: each.rows.filter((row) => !isSaleRow(row) || row.kind !== kind),
        })),
      }));
      expect(dropped, kind).toMatch(/Refused \((dropped-row|not-in-journal)\)/);
      expect(dropped, kind).not.toContain('Verified.');
    }
    expect(panel.faults).toEqual([]);
  });
});
