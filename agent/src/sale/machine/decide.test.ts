import { describe, expect, it } from 'vitest';
import { chipCard, context, effectText, factText, saleOf } from '../sale.test.support.js';
import { decide, OVERDUE_PHASES, phaseAfter, SALE_STEPS } from './decide.js';
import {
  accepted,
  acknowledged,
  answer,
  authorizing,
  captureOf,
  cardRead,
  completed,
  completing,
  doneOnline,
  link,
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
import { GROUPS } from './rows/groups.test.support.js';
import type { SalePhase } from './state/answer.js';
import type { Effect, SaleEvent } from './state/events.js';

const ROWS = Object.values(GROUPS).flat();

/** The timer `overdue` follows from the phases and has its own tests. */
const isOversight = (effect: Effect) => 'timer' in effect && effect.timer === 'overdue';

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
});
