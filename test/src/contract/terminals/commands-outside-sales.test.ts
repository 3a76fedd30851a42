import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceOutcome, DeviceWork, Question } from '@tillbridge/agent/drivers/core/driver.js';
import { type CommandOutsideSale, commandsOutsideSale } from '@tillbridge/agent/drivers/device-types.js';
import type { KeyedInput } from '@tillbridge/hardware-sim/terminals/core/terminal-ui.js';
import { afterEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../stack/layout.js';
import { MAKERS } from './makers.js';
import { saleRequest } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// What each model does outside of sales is what the table of models and the page state, no more and no less.

const PAGE = readFileSync(join(ROOT, 'agent', 'docs', 'terminals.md'), 'utf8');
const COLUMNS: readonly CommandOutsideSale[] = [
  'text',
  'card',
  'confirm',
  'choose',
  'digits',
  'print',
  'restart',
];

/** Whether a maker has something, by the table and by the page. */
function isThere(deviceType: string, column: CommandOutsideSale): boolean {
  const row = PAGE.slice(PAGE.indexOf('## Commands outside sales'))
    .split('\n')
    .find((line) => line.startsWith(`| \`${deviceType}\` |`));
  const cells = row?.split('|').slice(2, -1) ?? [];
  if (cells.length !== COLUMNS.length)
    throw new Error(`agent/docs/terminals.md: no whole row of ${deviceType}`);
  const onPage = !cells[COLUMNS.indexOf(column)]?.trim().startsWith('–');
  expect(commandsOutsideSale(deviceType).includes(column), `the page on ${column}`).toBe(onPage);
  return onPage;
}

let harness: TerminalHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const TIMEOUT_MS = 20_000;
const SURE = 'ARE YOU SURE?';
const CONFIRM: Question = { kind: 'confirm', text: SURE, timeoutMs: TIMEOUT_MS };
const CHOOSE: Question = {
  kind: 'choose',
  text: 'WHICH?',
  options: ['TEA', 'COFFEE'],
  timeoutMs: TIMEOUT_MS,
};
const DIGITS: Question = {
  kind: 'digits',
  prompt: 'phone',
  minDigits: 3,
  maxDigits: 12,
  timeoutMs: TIMEOUT_MS,
};
const entered = (text: string): KeyedInput => ({ kind: 'entered', text });

/** Keys these in, one after the other, as soon as the terminal wants input. */
function keysIn(on: TerminalHarness, inputs: readonly KeyedInput[]): void {
  const left = [...inputs];
  let isDue = false;
  const look = () => {
    const { ui } = on.device;
    const wantsInput =
      ui.want === 'input' || (ui.tellKey !== undefined && ui.screen.join(' ').includes(SURE));
    if (!wantsInput || isDue || left.length === 0) return;
    isDue = true;
    on.clock.setTimer(100, () => {
      isDue = false;
      const input = left.shift();
      if (input) ui.keyIn(input);
    });
  };
  on.device.ui.watch(look);
}

async function opened(maker: (typeof MAKERS)[number], inputs: readonly KeyedInput[] = []) {
  const on = await openTerminalHarness(maker, { wire: 'memory' });
  harness = on;
  on.cardholder.follow({ cards: [{ card: 'magstripe-only', how: 'swipe' }] });
  keysIn(on, inputs);
  const work = async (what: DeviceWork): Promise<DeviceOutcome> => {
    const outcome = await on.pass(on.driver.device?.(what) ?? Promise.reject(new Error('no driver')));
    await on.until('ready');
    return outcome;
  };
  return { on, work };
}

describe.each(MAKERS.map((maker) => [maker.deviceType, maker] as const))('%s', (name, maker) => {
  const outcomeOf = (column: CommandOutsideSale, there: object) =>
    isThere(name, column) ? there : { kind: 'unavailable' };

  test('shows, prints and restarts as the page states', async () => {
    const { on, work } = await opened(maker);
    const text = 'THANK YOU';
    expect(await work({ kind: 'display', text })).toEqual(outcomeOf('text', { kind: 'done' }));
    expect(on.device.ui.screen.join(' ').includes(text)).toBe(isThere(name, 'text'));
    const lines = ['A receipt & <more>', 'TOTAL 1.00'];
    expect(await work({ kind: 'print', lines })).toEqual(outcomeOf('print', { kind: 'done' }));
    expect(on.device.ui.printed.length).toBe(isThere(name, 'print') ? 2 : 0);
    expect(await work({ kind: 'reset' })).toEqual(outcomeOf('restart', { kind: 'done' }));
    expect(on.surprises).toEqual([]);
  });

  test('shows questions as the page states', async () => {
    const { on, work } = await opened(maker, [
      ...(isThere(name, 'confirm') ? [entered(''), { kind: 'cancel' } as const] : []),
      ...(isThere(name, 'choose') ? [entered('7'), entered('2')] : []),
      ...(isThere(name, 'digits') ? [entered('1'), entered('0301234567')] : []),
    ]);
    const ask = (question: Question) => work({ kind: 'ask', question });
    const answered = (answer: object) => ({ kind: 'answered', answer });
    const confirm = (confirmed: boolean) => outcomeOf('confirm', answered({ kind: 'confirm', confirmed }));
    expect(await ask(CONFIRM)).toEqual(confirm(true));
    expect(await ask(CONFIRM)).toEqual(confirm(false));
    expect(await ask(CHOOSE)).toEqual(outcomeOf('choose', answered({ kind: 'choose', option: 1 })));
    expect(await ask(DIGITS)).toEqual(
      outcomeOf('digits', answered({ kind: 'digits', digits: '0301234567' })),
    );
    expect(on.surprises).toEqual([]);
  });

  test('ends a question without an answer, and one that the till stops', async () => {
    if (!isThere(name, 'confirm')) return;
    const { on, work } = await opened(maker);
    expect(await work({ kind: 'ask', question: CONFIRM })).toEqual({ kind: 'cancelled', by: 'timeout' });
    const running = on.driver.device?.({ kind: 'ask', question: CONFIRM });
    const since = on.clock.monotonicMs();
    await on.pass(new Promise<void>((resolve) => on.clock.setTimer(1_000, resolve)));
    await on.pass(on.driver.cancel());
    expect(await running).toEqual({ kind: 'cancelled', by: 'till' });
    expect(on.clock.monotonicMs() - since).toBeLessThan(TIMEOUT_MS);
    await on.until('ready');
    expect(on.surprises).toEqual([]);
  });

  test('reads a card without a payment as the page states', async () => {
    const { on, work } = await opened(maker);
    const outcome = await work({ kind: 'read-card', request: saleRequest({}) });
    expect(outcome).toMatchObject(outcomeOf('card', { kind: 'card', facts: { entryMode: 'MAGSTRIPE' } }));
    expect(on.surprises).toEqual([]);
  });
});
