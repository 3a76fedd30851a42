import { describe, expect, it } from 'vitest';
import {
  ARQC,
  AT,
  chipCard,
  context,
  DECLINED,
  iccData,
  OFFLINE_POLICY,
  saleOf,
  TC,
} from '../sale.test.support.js';
import { decide, OVERDUE_GRACE_MS } from './decide.js';
import {
  accepted,
  answer,
  authorizing,
  completed,
  decisionLines,
  NO_OFFLINE,
  notSent,
  offlineDecision,
  PART,
  sent,
  unknown,
} from './machine.test.support.js';
import { GROUPS } from './rows/groups.test.support.js';
import type { StepContext } from './state/events.js';

describe('what each row decides in full', () => {
  it.each(Object.entries(GROUPS))('%s', async (group, rows) => {
    const texts = rows.map(([name, sale, event, , , given]) =>
      [name, ...decisionLines(sale, event, context(given))].join('\n  '),
    );
    // A change of these files is a change of the machine: read it before it is recorded (vitest --update).
    const file = `rows/decisions/${group.replaceAll(/[^a-z]+/g, '-')}.txt`;
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(file);
  });
});

describe('sale machine', () => {
  it('reverses what was approved of it', () => {
    const part = saleOf([
      { kind: 'authorizing', messageId: 'm1' },
      { kind: 'answered', answer: PART, late: false },
      { kind: 'ended', outcome: 'approved', mode: 'online', reason: 'approved' },
    ]);
    const { facts } = decide(part, { kind: 'reverse' }, context());
    expect(facts).toMatchObject([{ kind: 'reversal', amount: { minor: 617, currency: 'EUR' } }]);
  });

  it('keeps the sensitive data of an offline record and its final cryptogram, and no PIN', () => {
    const { sensitive } = decide(authorizing(offlineDecision), completed('approved'), context());
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

  it('counts the time of the timer overdue over a restart, leaves a moment for the link, and never waits longer than it may', () => {
    const hours = OFFLINE_POLICY.overdueAfterMs;
    const delayAt = (nowMs: number) =>
      decide(unknown(), { kind: 'restarted' }, context({ nowMs })).effects?.filter(
        (effect) => 'timer' in effect && effect.timer === 'overdue',
      );
    expect(delayAt(AT + hours - 300_000)).toMatchObject([{ do: 'set-timer', delayMs: 300_000 }]);
    expect(delayAt(AT + 3 * hours)).toMatchObject([{ do: 'set-timer', delayMs: OVERDUE_GRACE_MS }]);
    expect(delayAt(AT - hours)).toMatchObject([{ do: 'set-timer', delayMs: hours }]);
  });
});
