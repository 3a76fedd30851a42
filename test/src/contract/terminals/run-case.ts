import type {
  CardData,
  CompleteOutcome,
  DriverProgress,
  StartOutcome,
  StartRequest,
} from '@tillbridge/agent/drivers/core/driver.js';
import { type CryptogramType, cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { isSensitiveTag } from '@tillbridge/wire/emv/tags.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { expect } from 'vitest';
import type { ContractCase, ExpectedStart } from './cases.js';
import type { IssuerHost } from './issuer-host.js';
import type { TerminalHarness } from './terminal-harness.js';

/** EUR 12.34 on 20 November 2026; with floor limit 0 every sale goes to the issuer. */
export function saleRequest({
  request,
  floorLimitMinor = 0,
}: Pick<ContractCase, 'request' | 'floorLimitMinor'>): StartRequest {
  return {
    kind: 'sale',
    amount: { minor: 1_234, currency: 'EUR' },
    date: '261120',
    time: '101530',
    transactionSequenceNumber: 7,
    risk: {
      floorLimitMinor,
      randomSelectionThresholdMinor: 0,
      randomSelectionTargetPercent: 0,
      randomSelectionMaxPercent: 0,
    },
    cardTimeoutMs: 60_000,
    ...request,
  };
}

/** Runs a case to its end and checks every step; the driver must be ready for the next sale afterwards. */
export async function runCase(harness: TerminalHarness, host: IssuerHost, what: ContractCase): Promise<void> {
  harness.cardholder.follow(what.script);
  const before = new Set(harness.wireLog.frames.entries);
  const outcome = await start(harness, what);
  await checkStart(harness, host, what, outcome);
  if (outcome.kind === 'online-required' && what.answer) {
    const account = await host.account(harness.maker.deviceType, outcome.card);
    const result = await host.answer(outcome.card, account, what.answer);
    await issuerTakes(harness, what);
    if (what.leavesEarly) harness.device.ui.remove();
    checkEnd(what, outcome.card, await harness.pass(harness.driver.complete(result, () => {})));
  }
  await harness.pass(harness.driver.finish('THANK YOU'));
  await harness.until('ready');
  expect(harness.device.ui.inserted, 'a card stays in the slot').toBeUndefined();
  const { cardsGiven, pinEntries } = harness.cardholder;
  const { script } = what;
  // A sale that needed less of its cardholder than the case has is another one.
  expect({ cardsGiven, pinEntries }).toEqual({
    cardsGiven: script.cards?.length ?? 0,
    pinEntries: what.pinEntries ?? 0,
  });
  const { repeats } = what;
  if (repeats !== undefined) {
    const requests = harness.wireLog.frames.entries.filter(
      (frame) => !before.has(frame) && frame.text.includes(repeats),
    );
    expect(requests.length, 'requests').toBeGreaterThan(1);
  }
  expect(harness.surprises).toEqual([]);
}

/**
 * Runs a case on a line or device with faults: whatever happens, it must end, and in nothing but the truth. An approval
 * stands for a card that made a TC, a cancel for a cardholder who cancelled; card data that come are the card's.
 * @returns whether the sale failed of it
 */
export async function runCaseUnderFaults(
  harness: TerminalHarness,
  host: IssuerHost,
  what: ContractCase,
): Promise<boolean> {
  harness.cardholder.follow(what.script);
  const outcome = await start(harness, what);
  const { driver, maker, pass } = harness;
  if (outcome.kind === 'cancelled') expect(mayCancel(what)).toContain(outcome.by);
  if (outcome.kind === 'approved-offline') expect(cryptogram(outcome.card.iccData)).toBe('TC');
  let failed = outcome.kind === 'failed';
  if (outcome.kind === 'online-required') {
    const account = await host.account(maker.deviceType, outcome.card);
    if (what.start.kind === 'online-required') expect(account.pan).toBe(what.start.pan);
    const result = await host.answer(outcome.card, account, what.answer ?? 'decline');
    await issuerTakes(harness, what);
    if (what.leavesEarly) harness.device.ui.remove();
    const end = await pass(driver.complete(result, () => {}));
    failed = end.kind === 'failed';
    if (end.kind === 'approved') {
      expect(what.end, 'approved only what may be').toBe('approved');
      if (outcome.card.facts.entryMode === 'ICC') expect(cryptogram(end.iccData)).toBe('TC');
    }
  }
  await pass(driver.finish('THANK YOU'));
  return failed;
}

/** The time that the issuer takes for its answer. */
async function issuerTakes({ clock, pass }: TerminalHarness, { answerAfterMs }: ContractCase): Promise<void> {
  if (answerAfterMs === undefined) return;
  await pass(
    new Promise<void>((resolve) => {
      clock.setTimer(answerAfterMs, resolve);
    }),
  );
}

/** Who may have cancelled a case; a fault can make a cardholder wait in vain. */
function mayCancel({ start: expected }: ContractCase): readonly string[] {
  return expected.kind === 'cancelled' ? [expected.by, 'timeout'] : ['timeout'];
}

/** A plain sale, to show that nothing is left of what went before. */
export async function sellAgain(harness: TerminalHarness, host: IssuerHost): Promise<void> {
  await runCase(harness, host, {
    name: 'again',
    script: { cards: [{ card: 'visa-credit-online' }] },
    start: { kind: 'online-required', entryMode: 'ICC', pan: '4200000000000000' },
    answer: 'approve',
    end: 'approved',
  });
}

async function start(harness: TerminalHarness, what: ContractCase): Promise<StartOutcome> {
  const steps: DriverProgress[] = [];
  const ended = await harness.pass(harness.driver.start(saleRequest(what), (step) => steps.push(step)));
  if ('card' in ended) expect(steps.map(({ step }) => step)).toContain('reading-card');
  return ended;
}

async function checkStart(
  harness: TerminalHarness,
  host: IssuerHost,
  { start: expected, request }: ContractCase,
  outcome: StartOutcome,
): Promise<void> {
  expect(shortOf(outcome), JSON.stringify(shortOf(outcome))).toMatchObject({ kind: expected.kind });
  switch (expected.kind) {
    case 'online-required':
      await checkOnline(harness, host, expected, cardOf(outcome));
      if (request?.cashBackMinor !== undefined) checkCashBack(request.cashBackMinor, cardOf(outcome));
      break;
    case 'approved-offline':
    case 'declined-offline': {
      const card = cardOf(outcome);
      expect(card.facts.entryMode).toBe(expected.entryMode);
      expect(cryptogram(card.iccData)).toBe(expected.kind === 'approved-offline' ? 'TC' : 'AAC');
      break;
    }
    case 'cancelled':
      expect(outcome).toEqual(expected);
      break;
    case 'failed':
      expect(expected.failure).toContain(outcome.kind === 'failed' ? outcome.failure : undefined);
  }
}

async function checkOnline(
  { maker }: TerminalHarness,
  host: IssuerHost,
  expected: Extract<ExpectedStart, { kind: 'online-required' }>,
  card: CardData,
): Promise<void> {
  const account = await host.account(maker.deviceType, card);
  expect(account.pan).toBe(expected.pan);
  expect(card.facts).toMatchObject({
    entryMode: expected.entryMode,
    bin: expected.pan.slice(0, 6),
    last4Digits: expected.pan.slice(-4),
    expiry: '3112',
  });
  if (expected.entryMode.includes('ICC')) {
    expect(cryptogram(card.iccData)).toBe('ARQC');
    const tags = decodeTlv(card.iccData).map(({ tag }) => tag);
    expect(tags.filter(isSensitiveTag), 'card data in clear').toEqual([]);
    for (const tag of ['82', '95', '9A', '9C', '5F2A', '9F02', '9F10', '9F1A', '9F26', '9F36', '9F37']) {
      expect(tags, tag).toContain(tag);
    }
  } else {
    expect(card.iccData).toHaveLength(0);
  }
  if (expected.pin === true) expect(await host.pinIsRight(card, account)).toBe(true);
  if (expected.pin === false) expect(card.pin ?? account.pin).toBeUndefined();
}

/** The cryptogram covers the cash, and that it is a purchase with cash back (tags 9F03 and 9C). */
function checkCashBack(minor: number, { iccData }: CardData): void {
  const nodes = decodeTlv(iccData);
  const hex = (tag: string) => Buffer.from(findTlv(nodes, tag) ?? []).toString('hex');
  expect([hex('9F03'), hex('9C')]).toEqual([String(minor).padStart(12, '0'), '09']);
}

function checkEnd(what: ContractCase, card: CardData, end: CompleteOutcome): void {
  expect(end.kind).toBe(what.end);
  if (end.kind === 'failed') expect(['card-removed', 'card-error']).toContain(end.failure);
  if (end.kind === 'failed' || card.facts.entryMode !== 'ICC') return;
  const nodes = decodeTlv(end.iccData);
  expect(cryptogram(end.iccData)).toBe(what.end === 'approved' ? 'TC' : 'AAC');
  if (what.arc !== undefined) {
    expect(Buffer.from(findTlv(nodes, '8A') ?? []).toString('latin1')).toBe(what.arc);
  }
  if (what.scriptResults) expect(findTlv(nodes, '9F5B')?.length).toBeGreaterThanOrEqual(5);
}

/** An outcome without the bytes of the card, for messages. */
function shortOf(outcome: StartOutcome): object {
  return 'card' in outcome ? { kind: outcome.kind, facts: outcome.card.facts } : outcome;
}

function cardOf(outcome: StartOutcome): CardData {
  if (!('card' in outcome)) throw new Error(`no card: ${JSON.stringify(outcome)}`);
  return outcome.card;
}

function cryptogram(iccData: Uint8Array): CryptogramType {
  return cryptogramType(findTlv(decodeTlv(iccData), '9F27')?.[0] ?? 0xff);
}
