import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Chargebacks } from '@tillbridge/gateway/core/payments/chargebacks/chargebacks.js';
import {
  ENTITY,
  followUp,
  restPayment,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { setAccount } from '@tillbridge/gateway/features/settlement/administration.js';
import { STANDARD_FORM } from '@tillbridge/gateway/features/settlement/import/csv-form.js';
import { importFile } from '@tillbridge/gateway/features/settlement/import/import-file.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LinkedGateway, MERCHANT } from './linked-gateway.js';

let gateway: LinkedGateway;
beforeEach(async () => {
  gateway = await LinkedGateway.open();
});
afterEach(() => gateway.close());

it('the import takes the files of the host, and finds the payment of each row', async () => {
  const { harness, host } = gateway;
  const { store, clock, context, alerts } = harness;
  harness.mayDiffer = true;
  await setAccount({ store, clock, random, actor: 'test' }, ENTITY, {
    clearingMerchantId: MERCHANT.merchantId,
  });
  const pay = (minor: number) =>
    gateway.settled(
      gateway.service.authorize(
        restPayment({ type: 'DB', testMode: 'EXTERNAL', amount: { minor, currency: 'EUR' } }),
      ),
    );
  const [sale, charged, wrong] = [await pay(1_234), await pay(5_000), await pay(777)];
  await gateway.settled(gateway.service.followUp(followUp('RF', sale.paymentId, 234)));
  await gateway.settled(gateway.service.followUp(followUp('RV', wrong.paymentId)));
  const message = (await host.database.transactions())[1]?.message ?? '';
  expect(await host.chargeBack({ message, amountMinor: 5_000, reason: '10.4' })).toBe(true);
  const day = await host.day();
  await host.cutOver();
  const faults: string[] = [];
  const take = (kind: string) => {
    const content = readFileSync(join(gateway.folder, 'settlement', `${kind}-${day}.csv`));
    const reportLine = (line: number, what: string): void => void faults.push(`${line}: ${what}`);
    const chargebacks = new Chargebacks({ context, alerts });
    return importFile(
      { store, clock, random, reportLine, chargebacks },
      Readable.from([content]),
      STANDARD_FORM,
    );
  };
  // What was reversed on its day is not settled.
  expect(await take('settlement')).toMatchObject({ rows: 3, imported: 3, matched: 3, wrong: 0 });
  expect(await take('chargebacks')).toMatchObject({ rows: 1, matched: 1, chargebacks: 1, wrong: 0 });
  expect(faults).toEqual([]);
  expect(await store.get('payments', [charged.paymentId ?? ''])).toMatchObject({ chargedBackMinor: 5_000 });
  expect(await take('settlement')).toMatchObject({ imported: 0, known: 3 });
});
