import { describe, expect, it } from 'vitest';
import { isOpenAt, lacks, mayStop, type StoreStanding } from './store-standing.js';

const IDLE: StoreStanding = {
  gateway: { state: 'up' },
  journal: { state: 'ready' },
  terminals: [
    { id: '1001', state: 'ready' },
    { id: '1002', state: 'disconnected' },
  ],
  queue: { depth: 0 },
  open: [],
};
const BEFORE = { linked: true, ready: ['1001'] };

describe('an agent may be stopped', () => {
  it('while its store is idle, and what it had is remembered', () =>
    expect(mayStop(IDLE, false)).toEqual({ before: BEFORE }));

  it.each([
    ['a sale has no true end yet', { open: ['r1'] }, '1 sale(s) have no true end yet'],
    ['messages wait for the gateway', { queue: { depth: 2 } }, '2 message(s) wait for the gateway'],
    [
      'the copy of the journal is behind',
      { journal: { state: 'ready', copy: { state: 'behind' } } },
      'the copy of the journal is behind',
    ],
  ])('inside the window alone while %s', (_, change, notYet) => {
    expect(mayStop({ ...IDLE, ...change }, false)).toEqual({ notYet });
    expect(mayStop({ ...IDLE, ...change }, true)).toEqual({ before: BEFORE });
  });

  it.each([[{ id: '1001', state: 'busy' }], [{ id: '1001', state: 'ready', runningReference: 'r1' }]])(
    'never while a terminal has a sale: %o',
    (terminal) =>
      expect(mayStop({ ...IDLE, terminals: [terminal] }, true)).toEqual({
        notYet: 'terminal 1001 runs a sale',
      }),
  );
});

describe('a new agent is well', () => {
  it('with what the one before had', () => {
    expect(lacks(IDLE, BEFORE)).toBeUndefined();
    expect(lacks({ ...IDLE, gateway: { state: 'down' } }, { linked: false, ready: [] })).toBeUndefined();
  });

  it.each([
    [{ gateway: { state: 'connecting' } }, 'the link to the gateway was up before, and is connecting'],
    [{ terminals: [{ id: '1001', state: 'disconnected' }] }, 'terminal 1001 was ready before, and is not'],
    [{ terminals: [] }, 'terminal 1001 was ready before, and is not'],
    [{ journal: { state: 'unavailable', detail: 'disk full' } }, 'its journal is unavailable: disk full'],
  ])('not without it: %o', (change, lack) => expect(lacks({ ...IDLE, ...change }, BEFORE)).toBe(lack));
});

describe('a window', () => {
  const at = (time: string) => Date.parse(`2026-11-29T${time}:00Z`);
  const night = { fromMinute: 22 * 60, toMinute: 5 * 60 };

  it.each([
    ['21:59', false],
    ['22:00', true],
    ['04:59', true],
    ['05:00', false],
  ])('that passes midnight is open at %s: %s', (time, isOpen) =>
    expect(isOpenAt(night, at(time), 'UTC')).toBe(isOpen),
  );

  it('is one of the time zone of the store', () => {
    const early = { fromMinute: 2 * 60, toMinute: 3 * 60 };
    expect(isOpenAt(early, at('01:30'), 'Europe/Berlin')).toBe(true);
    expect(isOpenAt(early, at('02:30'), 'Europe/Berlin')).toBe(false);
  });
});
