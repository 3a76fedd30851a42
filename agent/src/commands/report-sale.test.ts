import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { CommandState, type SaleReport } from '@tillbridge/wire/bridge/messages.js';
import { encodeEvent, encodeHeader } from '@tillbridge/wire/terminals/trace/trace.js';
import { expect, it } from 'vitest';
import { SaleHarness } from '../sale/sale-harness.test.support.js';
import { REPORT_LIMITS, reportSale, shortened } from './report-sale.js';

const row = (at: number): SaleReport['rows'][number] => ({
  ...{ row: at, atMs: at, terminalId: '7', step: 'answered', description: 'd'.repeat(200), till: 'till-1' },
  ...{ messageId: '01a226-'.padEnd(36, '0'), sequence: at },
  emv: { aid: 'A0000000031010', tvr: '0080008000', tsi: 'E800', acType: 'ARQC', cvm: '420300', arc: '00' },
});

it('has the rows of a sale as a person reads them, and what passed on the line meanwhile', async () => {
  const harness = await new SaleHarness().boot();
  await harness.sell({ reference: 'R1' });
  const rows = await harness.journal.rowsOf('R1');
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) throw new Error('no rows');
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const trace = join(folder, 'trace.jsonl');
  const head = encodeHeader({
    deviceType: 'MIURA_M020',
    transport: 'serial',
    startedAt: '2026-11-20T12:00:00Z',
  });
  const frame = (atMs: number) =>
    encodeEvent({ kind: 'bytes', atMs, from: 'host', bytes: Buffer.from('010203040506070809', 'hex') });
  writeFileSync(
    trace,
    [head, frame(first.atMs - 60_000), frame(first.atMs), frame(last.atMs), '{"cut'].join('\n'),
  );
  const terminals = [{ id: first.terminalId, trace }];
  const report = await reportSale({ journal: harness.journal, terminals, clock: harness.clock }, 'R1');
  rmSync(folder, { recursive: true });
  expect(report?.rows.map(({ step }) => step)).toEqual(
    expect.arrayContaining(['accepted', 'authorizing', 'answered']),
  );
  expect(report?.rows.map((each) => each.row)).toEqual(rows.map((each) => each.row));
  expect(report?.frames).toEqual([
    {
      atMs: first.atMs,
      terminalId: first.terminalId,
      from: 'host',
      length: 9,
      head: Buffer.from('0102030405060708', 'hex'),
    },
    {
      atMs: last.atMs,
      terminalId: first.terminalId,
      from: 'host',
      length: 9,
      head: Buffer.from('0102030405060708', 'hex'),
    },
  ]);
  expect(report).toMatchObject({ lineIsRecorded: true, incomplete: false });
});

it('is none of a sale that the journal does not have', async () => {
  const harness = await new SaleHarness().boot();
  const deps = { journal: harness.journal, terminals: [], clock: harness.clock };
  expect(await reportSale(deps, 'none')).toBeUndefined();
});

it('fits into one message of the bridge, however long the sale was', () => {
  const frame = { atMs: 1, terminalId: '7', from: 'device', length: 9, head: new Uint8Array(8) };
  const report = shortened({
    ...{ timeMs: 1, lineIsRecorded: true, incomplete: false },
    rows: Array.from({ length: 1_000 }, (_none, at) => row(at)),
    frames: Array.from({ length: 1_000 }, () => frame),
  });
  expect(report.incomplete).toBe(true);
  expect(report.rows).toHaveLength(REPORT_LIMITS.rows);
  expect([report.rows.at(0)?.row, report.rows.at(-1)?.row]).toEqual([0, 999]);
  const body = {
    ...{
      commandId: 'c1',
      state: CommandState.DONE,
      reasonCode: '',
      reason: '',
      saleState: '',
      saleOutcome: '',
    },
    saleReport: report,
  };
  const bytes = encodeEnvelope({ id: 'c1', terminalId: '', sequence: 0, kind: 'commandResult', body });
  expect(bytes.length).toBeLessThanOrEqual(64 * 1_024);
});
