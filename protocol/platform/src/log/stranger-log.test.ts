import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { STRANGER_LOG, StrangerLog } from './stranger-log.js';

const { linesOfKind, windowMs, summaryMs } = STRANGER_LOG;

let clock: VirtualClock;
let lines: { level: string; text: string; about: Record<string, unknown> }[];
let log: StrangerLog;
/** Timers that are set. */
let pending: number;
beforeEach(() => {
  clock = new VirtualClock();
  pending = 0;
  lines = [];
  const take = (level: string) => (about: object, text: string) =>
    lines.push({ level, text, about: { ...about } });
  const setTimer: VirtualClock['setTimer'] = (delayMs, fire) => {
    pending += 1;
    const timer = clock.setTimer(delayMs, () => {
      pending -= 1;
      fire();
    });
    return {
      cancel: () => {
        pending -= 1;
        timer.cancel();
      },
    };
  };
  log = new StrangerLog({
    log: { info: take('info'), warn: take('warn') },
    clock: { monotonicMs: () => clock.monotonicMs(), setTimer },
  });
});

const refuse = (count: number, kind = '401', peer = '203.0.113.9') => {
  for (let at = 0; at < count; at += 1) log.take({ kind, peer }, { status: 401 }, 'request');
};
const texts = () => lines.map(({ text }) => text);
const events = () => lines.filter(({ about }) => 'securityEvent' in about);

describe('the lines of strangers', () => {
  it('are the first of each kind in a minute, with the address; the others are counted in one', async () => {
    refuse(linesOfKind + 5);
    refuse(1, '404', '10.1.2.3');
    expect(lines).toHaveLength(linesOfKind + 1);
    expect(lines[0]).toEqual({ level: 'info', text: 'request', about: { status: 401, peer: '203.0.113.9' } });
    await clock.advance(windowMs);
    expect(lines[linesOfKind + 1]).toEqual({
      level: 'warn',
      text: 'more requests of strangers',
      about: { count: 5, kinds: { 401: 5 }, addresses: { public: 5 } },
    });
    refuse(1);
    expect(lines.at(-1)?.text).toBe('request');
  });

  it('are not more than some for all kinds together', () => {
    for (let kind = 0; kind < 100; kind += 1) refuse(2, `${kind}`);
    expect(lines).toHaveLength(STRANGER_LOG.lines);
  });

  it('tell of no more where all were written', async () => {
    refuse(linesOfKind);
    await clock.advance(windowMs);
    expect(texts()).not.toContain('more requests of strangers');
  });

  it('count a few kinds apart, and classes of addresses', async () => {
    for (let kind = 0; kind < 100; kind += 1) refuse(10, `${kind}`, '192.168.1.1');
    refuse(7, '0', '127.0.0.1');
    refuse(4, '0', '0:0:0:0::');
    refuse(3, '0', 'fd00:1:2:3::');
    refuse(2, '0', '2001:db8:0:0::');
    await clock.advance(windowMs);
    const { kinds, addresses } = lines.find(({ text }) => text === 'more requests of strangers')?.about ?? {};
    expect(Object.keys(kinds as object)).toHaveLength(STRANGER_LOG.kinds + 1);
    expect(kinds).toMatchObject({ other: (100 - STRANGER_LOG.kinds) * 10 });
    expect(addresses).toMatchObject({ 'own-machine': 11, public: 2 });
    expect((addresses as { private: number }).private).toBe(1_003 - STRANGER_LOG.lines);
  });
});

describe('the security log', () => {
  it('has the refusals of the first minute, then those of each hour', async () => {
    refuse(4);
    await clock.advance(windowMs);
    expect(events()).toEqual([
      {
        level: 'warn',
        text: 'strangers were refused',
        about: { securityEvent: 'strangers-refused', count: 4, kinds: { 401: 4 }, addresses: { public: 4 } },
      },
    ]);
    for (let minute = 1; minute <= 59; minute += 1) {
      refuse(10);
      await clock.advance(windowMs);
    }
    expect(events()).toHaveLength(1);
    await clock.advance(windowMs);
    expect(events().at(-1)?.about).toMatchObject({ count: 590 });
    expect(events()).toHaveLength(2);
  });

  it('has one line an hour of a flood that goes on for days, and the log a few a minute', async () => {
    const hours = 48;
    for (let minute = 0; minute < hours * 60; minute += 1) {
      for (let kind = 0; kind < 40; kind += 1) refuse(1, `${kind}`);
      await clock.advance(windowMs);
    }
    expect(events().length).toBeLessThanOrEqual(hours + 1);
    expect(lines.length).toBeLessThanOrEqual(hours * 60 * (STRANGER_LOG.lines + 1) + hours + 1);
  });

  it('does not count what was answered', async () => {
    for (let at = 0; at < 9; at += 1)
      log.take({ kind: '200', peer: '127.0.0.1', isAnswered: true }, {}, 'request');
    await clock.advance(summaryMs);
    log.close();
    expect(events()).toEqual([]);
    expect(texts()).toContain('more requests of strangers');
  });

  it('waits for nothing once everything is reported', async () => {
    refuse(1);
    await clock.advance(windowMs);
    expect(pending).toBe(0);
  });

  it('has what was counted when the program ends', async () => {
    refuse(5);
    await clock.advance(windowMs);
    refuse(linesOfKind + 2);
    log.close();
    expect(events().at(-1)?.about).toMatchObject({ count: linesOfKind + 2 });
    expect(lines.filter(({ text }) => text === 'more requests of strangers')).toHaveLength(2);
    expect(pending).toBe(0);
  });
});
