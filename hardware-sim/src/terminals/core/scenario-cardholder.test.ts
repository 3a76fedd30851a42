import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CardBox } from '../../cards/card-box.js';
import { memorySlot } from '../../state/state-slot.js';
import type { CardholderAct } from './cardholder-act.js';
import { ScenarioCardholder } from './scenario-cardholder.js';
import { TerminalUi } from './terminal-ui.js';

const { signal } = new AbortController();
const ACTS: readonly CardholderAct[] = [
  { act: 'present', card: 'maestro-offline-approved', how: 'insert' },
  { act: 'pin', pin: 'wrong' },
  { act: 'pin', pin: 'right' },
  { act: 'remove', during: 'removing' },
];

let clock: VirtualClock;
let ui: TerminalUi;
let acted: CardholderAct[];
let cardholder: ScenarioCardholder;

beforeEach(() => {
  clock = new VirtualClock();
  acted = [];
  ui = new TerminalUi({ clock, aheadMs: 10_000, onAct: (act) => void acted.push(act) });
  cardholder = new ScenarioCardholder(ui, clock, new CardBox(() => memorySlot()));
});
afterEach(() => cardholder.stop());

/** What a wait of the terminal came to after the person has had time. */
async function after<T>(wait: Promise<T>): Promise<T> {
  await settle();
  await clock.advance(1_000);
  return wait;
}

test('does what was recorded, each act when the terminal prompts for it', async () => {
  cardholder.begin(ACTS);
  await clock.advance(1_000);
  expect(acted).toEqual([]);
  await after(ui.waitForCard(new Set(['insert']), 60_000, signal));
  const wrong = await after(ui.waitForPin(60_000, signal));
  const right = await after(ui.waitForPin(60_000, signal));
  expect([wrong, right]).toEqual([
    { kind: 'digits', digits: Buffer.from('7539') },
    { kind: 'digits', digits: Buffer.from('7531') },
  ]);
  await after(ui.waitForRemoval(signal));
  expect(acted).toEqual(ACTS);
});

test('takes the card out after the end of its sale, and enters no PIN in the next one', async () => {
  cardholder.begin(ACTS);
  await after(ui.waitForCard(new Set(['insert']), 60_000, signal));
  cardholder.finish();
  await after(ui.waitForRemoval(signal));
  const next = ui.waitForPin(60_000, signal);
  await clock.advance(60_000);
  expect(await next).toBe('timeout');
  expect(acted).toEqual([ACTS[0], ACTS[3]]);
});

test('gives no card in a way that the terminal does not take, and nothing after its end', async () => {
  cardholder.begin(ACTS);
  const end = ui.waitForCard(new Set(['tap']), 60_000, signal);
  await clock.advance(1_000);
  cardholder.stop();
  await clock.advance(60_000);
  expect(await end).toBe('timeout');
  expect(acted).toEqual([]);
});
