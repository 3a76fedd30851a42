import { describe, expect, it } from 'vitest';
import type { SalePhase } from './answer.js';
import type { StepContext } from './events.js';
import { decide, SALE_STEPS } from './machine.js';
import {
  accepted,
  alone,
  answer,
  authorizing,
  completed,
  NO_OFFLINE,
  notSent,
  sent,
} from './machine.test.support.js';
import { AFTER } from './machine-rows/after.test.support.js';
import { AUTHORIZING_ROWS } from './machine-rows/authorizing.test.support.js';
import { ACCEPTED, READING_CARD } from './machine-rows/card.test.support.js';
import { COMPLETING, UNKNOWN_ROWS } from './machine-rows/resolving.test.support.js';
import {
  ARQC,
  chipCard,
  context,
  DECLINED,
  effectText,
  factText,
  iccData,
  OFFLINE_POLICY,
  TC,
} from './sale.test.support.js';

describe.each(Object.entries({ ACCEPTED, READING_CARD, AUTHORIZING_ROWS, COMPLETING, UNKNOWN_ROWS, AFTER }))(
  'sale machine: %s',
  (_group, rows) => {
    it.each(rows.map((row) => [row[0], row] as const))(
      '%s',
      (_name, [, sale, event, facts, effects, given]) => {
        const decision = decide(sale, event, context(given));
        expect((decision.facts ?? []).map(factText)).toEqual(facts);
        expect((decision.effects ?? []).map(effectText)).toEqual(effects);
      },
    );
  },
);

describe('sale machine', () => {
  const ROWS = [ACCEPTED, READING_CARD, AUTHORIZING_ROWS, COMPLETING, UNKNOWN_ROWS, AFTER].flat();

  it('has a row in these tables for every step', () => {
    const shown = new Set(ROWS.map(([, sale, event]) => `${sale.state.phase} ${event.kind}`));
    const steps = (Object.keys(SALE_STEPS) as SalePhase[]).flatMap((phase) =>
      Object.keys(SALE_STEPS[phase]).map((kind) => `${phase} ${kind}`),
    );
    const shared = ['reversing acknowledged', 'reversing parked', 'parked acknowledged', 'parked parked'];
    expect(steps.filter((step) => !shown.has(step) && !shared.includes(step))).toEqual([]);
  });

  it('keeps the sensitive data of an offline record and its final cryptogram, and no PIN', () => {
    const { sensitive } = decide(authorizing(alone), completed('approved'), context());
    expect(sensitive).toEqual([{ messageId: 'fresh-1', iccData: iccData(TC), sred: chipCard().sred }]);
  });

  it('drops the PIN block as soon as the request is handed over', () => {
    const pin = { data: Buffer.alloc(8, 1), ksn: Buffer.alloc(10, 2) };
    const { live } = decide(
      authorizing({ ...notSent, card: chipCard(ARQC, { pin }) }),
      sent(true),
      context(),
    );
    expect(live?.card).toBeDefined();
    expect(live?.card).not.toHaveProperty('pin');
  });

  it('gives the card the issuer data and response code of the answer', () => {
    const { effects } = decide(authorizing(), answer(DECLINED), context());
    expect(effects?.[1]).toMatchObject({
      result: { kind: 'declined', responseCode: '05', issuerData: Buffer.from('910A', 'hex') },
    });
  });

  it('uses the floor limit only while offline approvals are allowed', () => {
    const risk = { ...OFFLINE_POLICY.offline.risk, floorLimitMinor: 5_000 };
    const policy = { ...OFFLINE_POLICY, offline: { ...OFFLINE_POLICY.offline, risk } };
    const start = (given: Partial<StepContext>) =>
      decide(accepted(), { kind: 'begin' }, context({ policy, ...given }));
    expect(start({}).effects?.[1]).toMatchObject({ risk: { floorLimitMinor: 5_000 } });
    expect(start(NO_OFFLINE).effects?.[1]).toMatchObject({ risk: { floorLimitMinor: 0 } });
  });
});
