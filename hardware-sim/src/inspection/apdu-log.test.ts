import { toHex } from '@tillbridge/wire/bytes.js';
import { describeTlvPartly } from '@tillbridge/wire/emv/describe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, test } from 'vitest';
import { CardBox } from '../cards/card-box.js';
import { decodeCommand, decodeResponse } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { seededRandom } from '../faults/seeded-random.js';
import { memorySlot } from '../state/state-slot.js';
import { DukptDevice } from '../terminals/core/dukpt-device.js';
import { NO_SALE, PaymentCore } from '../terminals/core/payment-core.js';
import { DEVELOPMENT_PLACE } from '../terminals/core/terminal-applications.js';
import { type Presentation, TerminalUi } from '../terminals/core/terminal-ui.js';
import { ApduLog, apduObjects, apduView } from './apdu-log.js';
import { KernelLog } from './kernel-log.js';

const SALE = { ...NO_SALE, amountMinor: 1_234, date: '261120', time: '101500' };
const PROMPT = { lines: ['PIN'], timeoutMs: 1_000, allowBypass: true };
const { signal } = new AbortController();

let log: ApduLog;
let kernel: KernelLog;
/** What passed between terminal and card, recorded by the test itself. */
let recorded: { command: string; response: string }[];
let core: PaymentCore;
let ui: TerminalUi;

beforeEach(() => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20));
  log = new ApduLog(clock);
  kernel = new KernelLog(clock, () => undefined);
  recorded = [];
  const tapCard = (card: Card, presentation: Presentation): Card => log.tap(recording(card), presentation);
  ui = new TerminalUi({ clock, aheadMs: 10_000, tapCard });
  const ksn = Buffer.from('FFFF9876543210E00000', 'hex');
  core = new PaymentCore({
    serial: '1',
    terminalId: 'T1',
    ui,
    random: seededRandom(1),
    pinKey: new DukptDevice(memorySlot(), 'bdkPin', ksn, seededRandom(1)),
    counters: memorySlot(),
    place: DEVELOPMENT_PLACE,
    onDecision: (decision, data) => kernel.add(decision, data),
  });
});

function recording(card: Card): Card {
  return {
    reset: () => card.reset(),
    transmit: async (command) => {
      const sent = toHex(command);
      const response = await card.transmit(command);
      recorded.push({ command: sent, response: toHex(response) });
      return response;
    },
  };
}

async function pay(name: string, pin?: string): Promise<void> {
  const taken = new CardBox(() => memorySlot()).take(name);
  if (!taken) throw new Error(name);
  ui.present({ ...taken, how: 'insert' });
  const presentation = await core.awaitCard(new Set(['insert']), 1_000, signal);
  if (typeof presentation === 'string') throw new Error(presentation);
  await core.read(presentation, SALE);
  if (pin !== undefined) ui.enterPin({ kind: 'digits', digits: Buffer.from(pin) });
  await core.decide(
    {
      forceOnline: false,
      prompt: PROMPT,
      risk: { floorLimitMinor: 0, thresholdMinor: 0, targetPercent: 0, maxTargetPercent: 0 },
    },
    signal,
  );
}

test('each exchange is shown with the bytes, the name and the objects that the codec reads in a recording of the same bytes', async () => {
  await pay('visa-credit-online');
  const { entries } = log.exchanges;
  expect(entries.length).toBe(recorded.length);
  for (const [at, entry] of entries.entries()) {
    const { command = '', response = '' } = recorded[at] ?? {};
    const view = apduView(entry, true);
    expect(view.command).toBe(command);
    expect(view.response + view.sw).toBe(response);
    const answer = decodeResponse(Buffer.from(response, 'hex'));
    expect(apduObjects(entry).received).toEqual(describeTlvPartly(answer.data).nodes);
    expect(decodeCommand(Buffer.from(command, 'hex')).ins).toBe(entry.command[1]);
  }
  const names = entries.map(({ read }) => read.name);
  expect(names[0]).toBe('SELECT 1PAY.SYS.DDF01');
  expect(names).toContain('GET PROCESSING OPTIONS');
  expect(names.at(-1)).toBe('GENERATE AC (first) requests ARQC');
  const sent = apduObjects(entries.at(-1) as never).sent;
  expect(sent).toContainEqual(expect.objectContaining({ tag: '9F02', value: '000000001234' }));
});

test('card data are masked, and a PIN is not kept', async () => {
  await pay('maestro-offline-approved', '7531');
  const verify = log.exchanges.entries.find(({ read }) => read.name.startsWith('VERIFY'));
  expect(verify?.command.toString('hex')).toBe(`0020008008${'00'.repeat(9)}`);
  expect(apduView(verify as never, true).command).toBe(`0020008008${'*'.repeat(18)}`);
  ui.remove();
  await pay('mastercard-debit-pin', '246813579024');
  const shown = JSON.stringify(log.exchanges.entries.map((entry) => [apduView(entry), apduObjects(entry)]));
  expect(shown).not.toContain('5454545454545454');
  expect(recorded.some(({ response }) => response.includes('5454545454545454'))).toBe(true);
});

test('the bits of the kernel are those of its transaction, each with a reason', async () => {
  await pay('mastercard-debit-pin', '246813579024');
  const [view] = kernel.transactions;
  expect(view?.tvr.value).toBe(toHex(core.data?.get('95') ?? Buffer.alloc(0)));
  expect(view?.tsi.value).toBe(toHex(core.data?.get('9B') ?? Buffer.alloc(0)));
  expect(view?.cvmResults.value).toBe(toHex(core.data?.get('9F34') ?? Buffer.alloc(0)));
  const set = [...(view?.tvr.bits ?? []), ...(view?.tsi.bits ?? [])].filter((bit) => bit.set);
  expect(set.length).toBeGreaterThan(3);
  for (const { name, reason } of set) expect(reason, name).toMatch(/\w/);
  expect(view?.decisions.map(({ topic }) => topic)).toEqual(
    expect.arrayContaining(['selection', 'tvr', 'tsi', 'cvm', 'action']),
  );
});
