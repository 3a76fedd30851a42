import { closeGap } from '@tillbridge/gateway/core/acquirers/iso8583/gap/link-gap.js';
import { tillReversal, tillSale } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { TABLES, type TableName } from '@tillbridge/gateway/kernel/store/tables.js';
import { asRow, keyOf } from '@tillbridge/gateway/kernel/store/working-set.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EXTERNAL, LinkedGateway } from './linked-gateway.js';
import { payingAt, settledCode } from './paying.js';

const APPROVED = '000.100.112';
const MINUTE_MS = 60_000;

let gateway: LinkedGateway;
beforeEach(async () => {
  gateway = await LinkedGateway.open();
});
afterEach(() => gateway.close());

const { pay } = payingAt(() => gateway);
const rows = () => gateway.host.database.transactions();
const gapAlerts = async () =>
  (await allRows(gateway.harness.store, 'alerts'))
    .filter(({ code }) => code === 'acquirer-link-restored')
    .map(({ endedAtMs }) => endedAtMs === null);

/** A deferred authorization of an agent, which sends it again until it is acknowledged. */
function deferred(reference: string) {
  const decidedAtMs = gateway.harness.clock.nowMs();
  const messageId = newMessageId(decidedAtMs, random);
  const offline = { kind: 'deferred', decidedAtMs } as const;
  return { messageId, sale: tillSale(messageId, reference, { testMode: 'EXTERNAL', offline }) };
}
const send = ({ sale }: ReturnType<typeof deferred>) => settledCode(gateway, gateway.service.authorize(sale));

/** Takes a backup of the database; the result puts it back, and begins the gateway anew. */
async function backUp(): Promise<() => Promise<void>> {
  const { store } = gateway.harness;
  const tables = Object.keys(TABLES) as TableName[];
  const kept = await Promise.all(tables.map((table) => allRows(store, table)));
  return async () => {
    const changes: Change[] = [];
    for (const [at, table] of tables.entries()) {
      for (const row of await allRows(store, table))
        changes.push({ op: 'delete', table, key: keyOf(table, asRow(row)), version: row.version } as Change);
      for (const row of kept[at] ?? [])
        changes.push({ op: 'insert', table, row: { ...row, version: 1 } } as Change);
    }
    await store.commit(changes.filter(({ op }) => op === 'delete'));
    await store.commit(changes.filter(({ op }) => op === 'insert'));
    await gateway.restartGateway();
  };
}

it('holds what agents send again after the database was put back, until an operator has compared it', async () => {
  gateway.harness.mayDiffer = true;
  await pay();
  const putBack = await backUp();
  const forgotten = deferred('R-1');
  expect((await send(forgotten)).code).toBe(APPROVED);
  expect(await rows()).toHaveLength(2);
  await putBack();
  expect(await gapAlerts()).toEqual([true]);
  // The host has it: sent as a new request it would be paid twice.
  expect((await send(forgotten)).code).toBe('later');
  expect(
    (await settledCode(gateway, gateway.service.followUp(tillReversal('m-2', forgotten.messageId)))).code,
  ).toBe('later');
  expect(await rows()).toHaveLength(2);
  // Other payments go on: online ones at once, those of agents once their clocks are behind it for sure.
  expect((await pay()).code).toBe(APPROVED);
  await gateway.pass(11 * MINUTE_MS);
  expect((await send(deferred('R-2'))).code).toBe(APPROVED);
  // Neither a restart of the gateway nor time changes that.
  await gateway.restartGateway();
  expect((await send(forgotten)).code).toBe('later');
  const { store, clock } = gateway.harness;
  await closeGap({ store, clock, acquirer: EXTERNAL.name }, 'not in the file of the host');
  expect(await gapAlerts()).toEqual([false]);
  expect((await send(forgotten)).code).toBe(APPROVED);
  expect(await rows()).toHaveLength(5);
  await gateway.restartGateway();
  expect(await gapAlerts()).toEqual([false]);
  await expect(closeGap({ store, clock, acquirer: EXTERNAL.name }, 'again')).rejects.toThrow(
    /nothing of EXTERNAL/,
  );
});

it('finds no gap after restarts, and after a backup that has all', async () => {
  const sale = deferred('R-1');
  await pay();
  expect((await send(sale)).code).toBe(APPROVED);
  await gateway.restartGateway();
  const putBack = await backUp();
  await putBack();
  expect(await gapAlerts()).toEqual([]);
  expect((await send(deferred('R-2'))).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
});

it('finds a gap again after another backup was put back', async () => {
  gateway.harness.mayDiffer = true;
  const putBack = await backUp();
  for (const reference of ['R-1', 'R-2']) {
    const forgotten = deferred(reference);
    expect((await send(forgotten)).code).toBe(APPROVED);
    await putBack();
    expect(await gapAlerts()).toEqual([true]);
    expect((await send(forgotten)).code).toBe('later');
    const { store, clock } = gateway.harness;
    await closeGap({ store, clock, acquirer: EXTERNAL.name }, 'compared');
    await gateway.pass(11 * MINUTE_MS);
  }
});
