import { rmSync } from 'node:fs';
import {
  openPaymentHarness,
  storeOf,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { runSettlement } from '@tillbridge/gateway/features/settlement/service.js';
import {
  differencesOf,
  fileSums,
  ledgerSums,
  liveThrough,
  reportSums,
  settlementParts,
} from '@tillbridge/gateway/features/settlement/settlement-life.test.support.js';

/**
 * Payments with captures, refunds, reversals and chargebacks, settled several times on the way: the files and the reports must have what
 * the acquirer's ledger has, to the cent.
 * @returns how long settling and making the payments took
 * @throws Error naming what differs
 */
export async function settledLives(
  payments: number,
): Promise<{ readonly settlingMs: number; readonly paidMs: number }> {
  const harness = await openPaymentHarness(storeOf('sqlite'));
  const parts = settlementParts(harness);
  const files: string[] = [];
  let settlingMs = 0;
  const settle = async (): Promise<void> => {
    const began = performance.now();
    for (const { name } of (await runSettlement(parts)).files) files.push(name);
    settlingMs += performance.now() - began;
  };
  try {
    const began = performance.now();
    await liveThrough(harness, { seed: 1, payments, settle });
    await settle();
    const paidMs = performance.now() - began - settlingMs;
    const csv = fileSums(parts.folder, files);
    const differences = differencesOf(await ledgerSums(harness.record), {
      csv,
      reports: await reportSums(harness),
    });
    if (differences.length > 0) throw new Error(`settlement and ledger differ: ${differences.join('; ')}`);
    return { settlingMs, paidMs };
  } finally {
    rmSync(parts.folder, { recursive: true });
    await harness.dispose();
  }
}
