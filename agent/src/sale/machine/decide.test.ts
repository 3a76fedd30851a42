import { describe, expect, it } from 'vitest';
import {
  ARQC,
  AT,
  chipCard,
  context,
  DECLINED,
  effectText,
  factText,
  iccData,
  OFFLINE_POLICY,
  saleOf,
  TC,
} from '../sale.test.support.js';
import { decide, OVERDUE_GRACE_MS, OVERDUE_PHASES, phaseAfter, SALE_STEPS } from './decide.js';
import {
  accepted,
  acknowledged,
  answer,
  authorizing,
  captureOf,
  cardRead,
  completed,
  completing,
  decisionLines,
  doneOnline,
  link,
  NO_OFFLINE,
  notSent,
  offlineDecision,
  PART,
  parkedEvent,
  type Row,
  reading,
  resolveManually,
  reversing,
  sent,
  status,
  timer,
  unknown,
  voice,
} from './machine.test.support.js';
import { REACTION_TEXTS } from './reaction-texts.js';
import { AFTER } from './rows/after.test.support.js';
import { AUTHORIZING_ROWS } from './rows/authorizing.test.support.js';
import { CAPTURES } from './rows/captures.test.support.js';
import { ACCEPTED, READING_CARD } from './rows/card.test.support.js';
import { MANUAL_RESOLUTION_ROWS } from './rows/manual-resolution.test.support.js';
import { OFFLINE_ROWS } from './rows/offline.test.support.js';
import { PARTS, REFERRALS, STUCK } from './rows/parked.test.support.js';
import { COMPLETING, UNKNOWN_ROWS } from './rows/resolving.test.support.js';
import type { SalePhase } from './state/answer.js';
import type { Effect, SaleEvent, StepContext } from './state/events.js';

const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  accepted: ACCEPTED,
  'reading-card': READING_CARD,
  authorizing: AUTHORIZING_ROWS,
  completing: COMPLETING,
  unknown: UNKNOWN_ROWS,
  'reversing, done, parked': AFTER,
  captures: CAPTURES,
  referrals: REFERRALS,
  'approvals of a part': PARTS,
  'stuck sales': STUCK,
  'manually resolved': MANUAL_RESOLUTION_ROWS,
  'without the gateway': OFFLINE_ROWS,
};
const ROWS = Object.values(GROUPS).flat();

/** The timer `overdue` follows from the phases and has its own tests. */
const isOversight = (effect: Effect) => 'timer' in effect && effect.timer === 'overdue';

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

describe.each(Object.entries(GROUPS))('sale machine: %s', (_group, rows) => {
  it.each(rows.map((row) => [row[0], row] as const))(
    '%s',
    (_name, [, sale, event, facts, effects, given]) => {
      const decision = decide(sale, event, context(given));
      expect((decision.facts ?? []).map(factText)).toEqual(facts);
      const done = (decision.effects ?? []).filter((effect) => !isOversight(effect));
      expect(done.map(effectText)).toEqual(effects);
    },
  );
});

const PHASES = Object.keys(SALE_STEPS) as SalePhase[];
const KINDS = Object.keys(REACTION_TEXTS.accepted) as SaleEvent['kind'][];
const CELLS = PHASES.flatMap((phase) => KINDS.map((kind) => [phase, kind] as const));
const reactionOf = (phase: SalePhase, kind: SaleEvent['kind']) => REACTION_TEXTS[phase][kind];
const rowsOf = (phase: SalePhase, kind: SaleEvent['kind']) =>
  ROWS.filter(([, sale, event]) => sale.state.phase === phase && event.kind === kind);

const SAMPLES: Readonly<Record<SalePhase, () => Row[1]>> = {
  accepted,
  'reading-card': reading,
  authorizing,
  completing,
  unknown,
  reversing,
  done: doneOnline,
  parked: () => saleOf([...FACTS_TO_PARKED]),
};
const FACTS_TO_PARKED = [
  { kind: 'authorizing', messageId: 'm1' },
  { kind: 'overdue', code: 'x', text: 'y' },
] as const;
const EVENTS: Readonly<Record<SaleEvent['kind'], SaleEvent>> = {
  begin: { kind: 'begin' },
  'card-read': cardRead({ kind: 'online-required', card: chipCard() }),
  'card-completed': completed('approved'),
  sent: sent(true),
  answer: answer(),
  status: status('not-seen'),
  timer: timer('resolve'),
  link: link('up'),
  acknowledged: acknowledged('m1', 'approved'),
  parked: parkedEvent('m1'),
  cancel: { kind: 'cancel' },
  reverse: { kind: 'reverse' },
  capture: captureOf(1),
  'voice-approved': voice,
  'resolve-manually': resolveManually(),
  expire: { kind: 'expire' },
  'late-decline-acknowledged': { kind: 'late-decline-acknowledged' },
  restarted: { kind: 'restarted' },
  'journal-lost': { kind: 'journal-lost' },
};

describe('the table phase × event', () => {
  it('is described cell by cell: what is described as handled has a step, and nothing else has', () => {
    expect([...PHASES].sort()).toEqual(Object.keys(REACTION_TEXTS).sort());
    for (const [phase, kind] of CELLS) {
      const { text, isHandled } = reactionOf(phase, kind);
      expect(text, `${phase} ${kind}`).not.toBe('');
      expect(SALE_STEPS[phase][kind] !== undefined, `${phase} ${kind}`).toBe(isHandled);
    }
  });

  it.each(CELLS.filter(([phase, kind]) => reactionOf(phase, kind).isHandled))(
    '%s × %s: has a row, and leads where the row states and nowhere else',
    (phase, kind) => {
      const rows = rowsOf(phase, kind);
      expect(rows.length).toBeGreaterThan(0);
      const reached = rows.map(([, sale, event, , , given]) =>
        phaseAfter(sale.state, decide(sale, event, context(given)).facts ?? []),
      );
      const others = new Set(reached.filter((after) => after !== phase));
      expect([...others].sort()).toEqual([...reactionOf(phase, kind).to].sort());
    },
  );

  it.each(CELLS.filter(([phase, kind]) => !reactionOf(phase, kind).isHandled))(
    '%s × %s: nothing',
    (phase, kind) => {
      const decision = decide(SAMPLES[phase](), EVENTS[kind], context());
      expect(decision.facts ?? []).toEqual([]);
      expect((decision.effects ?? []).filter((effect) => !isOversight(effect))).toEqual([]);
      expect(decision.live).toBeUndefined();
    },
  );
});

describe('the timer overdue', () => {
  const overseen = (effects: readonly Effect[] = []) => effects.filter(isOversight);

  it.each(ROWS.map((row) => [row[0], row] as const))('%s', (_name, [, sale, event, , , given]) => {
    const { facts = [], effects } = decide(sale, event, context(given));
    const before = OVERDUE_PHASES.has(sale.state.phase);
    const after = OVERDUE_PHASES.has(phaseAfter(sale.state, facts));
    const expected = [
      ...(after && (!before || event.kind === 'restarted') ? ['set-timer'] : []),
      ...(before && !after ? ['stop-timer'] : []),
    ];
    expect(overseen(effects).map((effect) => effect.do)).toEqual(expected);
  });

  it('counts over a restart, leaves a moment for the link, and never waits longer than it may', () => {
    const hours = OFFLINE_POLICY.overdueAfterMs;
    const delayAt = (nowMs: number) =>
      overseen(decide(unknown(), { kind: 'restarted' }, context({ nowMs })).effects);
    expect(delayAt(AT + hours - 300_000)).toMatchObject([{ do: 'set-timer', delayMs: 300_000 }]);
    expect(delayAt(AT + 3 * hours)).toMatchObject([{ do: 'set-timer', delayMs: OVERDUE_GRACE_MS }]);
    expect(delayAt(AT - hours)).toMatchObject([{ do: 'set-timer', delayMs: hours }]);
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
});
