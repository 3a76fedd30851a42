import {
  type Command,
  CommandAction,
  CommandState,
  type Heartbeat,
} from '@tillbridge/wire/bridge/messages.js';
import { expect, it } from 'vitest';
import { SaleHarness } from '../sale/sale-harness.test.support.js';
import { CommandExecutor } from './command-executor.js';

const STATUS: Heartbeat = {
  queueDepth: 3,
  parked: 0,
  oldestAgeSeconds: 0,
  exposure: [],
  terminals: [],
  timeMs: 1,
  journalRow: 0,
  journalHash: new Uint8Array(),
};

const command = (action: CommandAction, reference = ''): Command => ({ action, reference });
const cancel = (reference: string) => command(CommandAction.CANCEL_SALE, reference);

function executorOf(harness: SaleHarness): CommandExecutor {
  return new CommandExecutor({
    service: harness.service,
    status: () => STATUS,
    report: async () => undefined,
    log: { info: () => undefined, error: () => undefined },
  });
}

it('answers a ping, and reports the state of the store', async () => {
  const executor = executorOf(await new SaleHarness().boot());
  expect(await executor.take('c1', command(CommandAction.PING))).toMatchObject({
    commandId: 'c1',
    state: CommandState.DONE,
  });
  for (const action of [CommandAction.STATUS, CommandAction.FLUSH])
    expect(await executor.take(`c-${action}`, command(action))).toMatchObject({ status: { queueDepth: 3 } });
});

it('cancels a running sale under its reference; the same command again gives the same result', async () => {
  const harness = await new SaleHarness().boot();
  const executor = executorOf(harness);
  harness.driver().reads = () => new Promise(() => undefined);
  const sale = harness.service.request({
    reference: 'R1',
    type: 'sale',
    amount: { minor: 100, currency: 'EUR' },
  });
  await expect.poll(() => harness.kinds('R1').length).toBeGreaterThan(0);
  const result = await harness.during(executor.take('c1', cancel('R1')));
  expect(result).toMatchObject({ state: CommandState.DONE, saleState: 'done', saleOutcome: 'cancelled' });
  expect(await sale).toMatchObject({ outcome: 'cancelled' });
  const rows = harness.kinds('R1');
  expect(await executor.take('c1', cancel('R1'))).toEqual(result);
  expect(harness.kinds('R1')).toEqual(rows);
});

it('cancels nothing the second time after a restart, and reports the outcome of the sale', async () => {
  const harness = await new SaleHarness().boot();
  await harness.sell({ reference: 'R1' });
  const rows = harness.kinds('R1');
  await harness.crash();
  expect(await harness.during(executorOf(harness).take('c1', cancel('R1')))).toMatchObject({
    state: CommandState.REFUSED,
    reasonCode: 'not-cancelled',
    saleOutcome: 'approved',
  });
  expect(harness.kinds('R1')).toEqual(rows);
});

it('refuses a sale that is not there, and what it does not know', async () => {
  const executor = executorOf(await new SaleHarness().boot());
  expect(await executor.take('c1', cancel('none'))).toMatchObject({
    state: CommandState.REFUSED,
    reasonCode: 'unknown-reference',
  });
  expect(await executor.take('c2', command(99 as CommandAction))).toMatchObject({
    state: CommandState.REFUSED,
    reasonCode: 'unknown-command',
  });
});
