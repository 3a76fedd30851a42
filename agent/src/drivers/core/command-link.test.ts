import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Codec,
  type CodecEffect,
  CommandLink,
  type DamageRule,
  type Exchange,
  MAX_UNWRITTEN,
} from './command-link.js';
import { CATCH_UP_MS, LATE_MS } from './line-timer.js';

// A framing of one character a message: '!' is damage, 'x' cannot be used any more, 't' begins a timer that reports 'T'.
const MEANINGS: Readonly<Record<string, CodecEffect<string>>> = {
  '!': { kind: 'damaged' },
  x: { kind: 'broken', reason: 'the stream is out of step' },
  t: { kind: 'set-timer', timer: 'own', ms: 300 },
  s: { kind: 'stop-timer', timer: 'own' },
  f: { kind: 'failed', failure: { kind: 'failed', failure: 'internal', detail: 'not confirmed' } },
};

class Letters implements Codec<string, string> {
  resets = 0;

  send(command: string): readonly CodecEffect<string>[] {
    if (command.length > 8) throw new TerminalFormatError('command', 'must have at most 8 characters');
    return [{ kind: 'write', bytes: Buffer.from(command) }];
  }

  receive(bytes: Uint8Array): readonly CodecEffect<string>[] {
    return [...Buffer.from(bytes).toString()].map(
      (letter) => MEANINGS[letter] ?? { kind: 'message', message: letter },
    );
  }

  timeout(): readonly CodecEffect<string>[] {
    return [{ kind: 'message', message: 'T' }];
  }

  reset(): void {
    this.resets += 1;
  }
}

/** A process that stood still: its timers fire when more time has passed than they were set for. */
class StalledClock extends VirtualClock {
  stalledMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.stalledMs;
  }
}

let clock: StalledClock;
let device: BytePipe;
let host: BytePipe;
let codec: Letters;
let events: string[];
let written: string;

function linkWith(damage?: DamageRule): CommandLink<string, string> {
  const link = new CommandLink(host, clock, codec, damage);
  link.listen({
    onMessage: (message) => events.push(message),
    onDamage: () => events.push('damage'),
    onEnd: () => events.push('end'),
  });
  return link;
}

/** A command that a letter ends; a digit reports that it runs. */
function until(letter: string, more: Partial<Exchange<string, string, string>> = {}) {
  return {
    name: letter.toUpperCase(),
    command: letter,
    timeoutMs: 1_000,
    take: (message: string) => {
      if (message === letter) return { end: message };
      return /\d/.test(message) ? ('begun' as const) : undefined;
    },
    ...more,
  };
}

const deviceSends = (text: string): Promise<void> => device.write(Buffer.from(text));

beforeEach(() => {
  clock = new StalledClock();
  codec = new Letters();
  events = [];
  written = '';
  [host, device] = memoryPipe();
  device.onData((bytes) => {
    written += Buffer.from(bytes).toString();
  });
});

describe('a command', () => {
  test('ends by its own answer, also by one that comes while it is written', async () => {
    const link = linkWith();
    device.onData(() => void deviceSends('a'));
    expect(await link.exchange(until('a'))).toBe('a');
    expect(written).toBe('a');
    expect(link.busy).toBe(false);
  });

  test('leaves what is not its own to the listeners', async () => {
    const link = linkWith();
    const running = link.exchange(until('a'));
    await deviceSends('bca');
    expect(await running).toBe('a');
    await deviceSends('a');
    await settle();
    expect(events).toEqual(['b', 'c', 'a']);
  });

  test('goes to the first command that takes a message; one with `ahead` comes first', async () => {
    const link = linkWith();
    const first = link.exchange(until('a'));
    const ahead = link.exchange({ ...until('a'), ahead: true });
    await deviceSends('a');
    expect(await Promise.race([first.then(() => 'first'), ahead.then(() => 'ahead')])).toBe('ahead');
    await deviceSends('a');
    expect(await first).toBe('a');
  });

  test('may end all the others', async () => {
    const link = linkWith();
    const first = link.exchange(until('a'));
    const cancel = link.exchange({
      ...until('c'),
      take: () => ({ end: 'c', others: 'stopped' }),
      ahead: true,
    });
    await deviceSends('c');
    expect(await Promise.all([first, cancel])).toEqual(['stopped', 'c']);
  });

  test('is refused while another runs, where only one may run', async () => {
    const link = linkWith();
    const running = link.exchange(until('a'));
    expect(await link.exchangeExclusively(until('b'))).toMatchObject({
      failure: 'terminal-busy',
      detail: 'A is still running',
    });
    await deviceSends('a');
    expect(await running).toBe('a');
    expect(written).toBe('a');
  });

  test('that no frame can hold is refused before anything is sent', async () => {
    const link = linkWith();
    const refused = { failure: 'data-too-long', detail: expect.stringContaining('at most 8') };
    expect(await link.exchange({ ...until('a'), command: 'too long a command' })).toMatchObject(refused);
    expect(link.send('A', 'too long a command')).toMatchObject(refused);
    expect(link.busy).toBe(false);
  });
});

describe('silence', () => {
  test('ends a command in its time, and every other that waits', async () => {
    const link = linkWith();
    const first = link.exchange(until('a'));
    const second = link.exchange(until('b', { timeoutMs: 9_000 }));
    await clock.advance(1_000);
    expect(await first).toMatchObject({
      failure: 'terminal-silent',
      detail: 'A: the terminal never answered',
    });
    expect(await second).toMatchObject({
      failure: 'terminal-silent',
      detail: 'A: the terminal never answered',
    });
  });

  test('of a command without a pair ends no other', async () => {
    const link = linkWith();
    const alone = link.exchange(until('a', { timesOutAlone: true }));
    const other = link.exchange(until('b', { timeoutMs: 9_000 }));
    await clock.advance(1_000);
    expect(await alone).toMatchObject({ failure: 'terminal-silent' });
    await deviceSends('b');
    expect(await other).toBe('b');
  });

  test('is counted anew once the device has begun, and its failure names what came in place of an answer', async () => {
    const link = linkWith();
    const running = link.exchange(until('a', { runMs: 5_000, instead: () => 'answered Z instead' }));
    await clock.advance(900);
    await deviceSends('1');
    await clock.advance(4_900);
    expect(link.busy).toBe(true);
    await clock.advance(100);
    expect(await running).toMatchObject({ detail: 'A: the terminal answered Z instead' });
  });

  test('may be extended, but not beyond the limit of the command', async () => {
    const link = linkWith();
    const exchange = until('a', { runMs: 2_500 });
    const running = link.exchange(exchange);
    for (let step = 0; step < 4; step += 1) {
      await clock.advance(600);
      link.extend(exchange, 1_000);
    }
    expect(link.busy).toBe(true);
    await clock.advance(100);
    expect(await running).toMatchObject({ failure: 'terminal-silent' });
  });
});

describe('damage', () => {
  const cases: readonly (readonly [DamageRule, boolean, readonly string[]])[] = [
    ['all', false, ['protocol-error', 'protocol-error']],
    ['blocking', true, ['protocol-error', 'b']],
    ['blocking', false, ['a', 'b']],
    ['all-when-blocking', true, ['protocol-error', 'protocol-error']],
    ['all-when-blocking', false, ['a', 'b']],
  ];
  test.each(cases)(
    'by the rule %s, with a command that waits for people: %s',
    async (rule, blocking, ends) => {
      const link = linkWith(rule);
      const both = Promise.all([link.exchange(until('a', { blocking })), link.exchange(until('b'))]);
      await deviceSends('!ab');
      const results = (await both).map((end) => (typeof end === 'string' ? end : end.failure));
      expect(results).toEqual(ends);
      expect(events[0]).toBe('damage');
    },
  );
});

describe('a codec', () => {
  test('has its own timers', async () => {
    const link = linkWith();
    await deviceSends('t');
    await clock.advance(200);
    await deviceSends('t');
    await clock.advance(299);
    expect(events).toEqual([]);
    await clock.advance(1);
    expect(events).toEqual(['T']);
    await deviceSends('ts');
    await clock.advance(1_000);
    expect(events).toEqual(['T']);
    expect(link.busy).toBe(false);
  });

  test('may end what waits, by name', async () => {
    const running = linkWith().exchange(until('a'));
    await deviceSends('f');
    expect(await running).toMatchObject({ failure: 'internal', detail: 'A: not confirmed' });
  });

  test('may give up the line, which is closed then', async () => {
    const link = linkWith();
    let closed = false;
    device.onClose(() => {
      closed = true;
    });
    const running = link.exchange(until('a'));
    await deviceSends('x');
    expect(await running).toMatchObject({ failure: 'terminal-gone', detail: 'the stream is out of step' });
    await settle();
    expect(closed).toBe(true);
    expect(events).toEqual(['end']);
  });
});

describe('the line', () => {
  test('ends what waits when it closes, and everything after', async () => {
    const link = linkWith();
    const running = link.exchange(until('a'));
    await device.close();
    expect(await running).toMatchObject({ failure: 'terminal-gone' });
    expect(await link.exchange(until('b'))).toMatchObject({ failure: 'terminal-gone' });
    expect(link.send('B', 'b')).toMatchObject({ failure: 'terminal-gone' });
    link.listen({ onEnd: () => events.push('late') });
    expect(events).toEqual(['end', 'late']);
  });

  test('begins a session anew without half a message, timers and commands of the old one', async () => {
    const link = linkWith();
    const running = link.exchange(until('a'));
    await deviceSends('t');
    link.reset();
    expect(await running).toMatchObject({ detail: 'the session began anew' });
    await clock.advance(1_000);
    expect(events).toEqual([]);
    expect(codec.resets).toBe(1);
  });

  test('takes pieces in order, each when the one before was taken, and not without limit', async () => {
    const taken: (() => void)[] = [];
    const pieces: string[] = [];
    const slow: BytePipe = {
      name: 'slow',
      onData: () => () => {},
      onClose: () => () => {},
      close: async () => {},
      write: (bytes) => {
        pieces.push(Buffer.from(bytes).toString());
        return new Promise((resolve) => taken.push(resolve));
      },
    };
    const link = new CommandLink(slow, clock, codec);
    for (const each of ['a', 'b', 'c']) link.send(each, each);
    expect(pieces).toEqual(['a']);
    taken[0]?.();
    await settle();
    expect(pieces).toEqual(['a', 'b']);
    for (let more = 0; more < MAX_UNWRITTEN; more += 1) link.send('d', 'd');
    expect(await link.exchange(until('e'))).toMatchObject({ detail: 'the terminal takes no more bytes' });
  });
});

describe('a process that stood still', () => {
  test('reads what the terminal sent in time before it takes it for silent', async () => {
    const link = linkWith();
    const running = link.exchange(until('a'));
    clock.stalledMs = LATE_MS;
    await clock.advance(1_000 + CATCH_UP_MS - 1);
    await deviceSends('a');
    expect(await running).toBe('a');
    await clock.advance(CATCH_UP_MS);
    expect(events).toEqual([]);
  });

  test('waits no longer than that, and not for a timer that is hardly late', async () => {
    const link = linkWith();
    const late = link.exchange({ ...until('a'), timesOutAlone: true });
    clock.stalledMs = 1;
    const inTime = link.exchange({ ...until('b'), timesOutAlone: true, timeoutMs: 2_000 });
    let ended = '';
    void late.then(() => (ended += 'a'));
    void inTime.then(() => (ended += 'b'));
    clock.stalledMs = LATE_MS;
    await clock.advance(1_000 + CATCH_UP_MS - 1);
    expect(ended).toBe('');
    await clock.advance(1);
    expect(ended).toBe('a');
    await clock.advance(2_000 - 1_000 - CATCH_UP_MS);
    expect(ended).toBe('ab');
  });

  test('lets a timer of the framing wait as well, which what came may stop', async () => {
    linkWith();
    await deviceSends('t');
    await settle();
    clock.stalledMs = LATE_MS;
    await clock.advance(300);
    await deviceSends('s');
    await clock.advance(CATCH_UP_MS);
    expect(events).toEqual([]);
    await deviceSends('t');
    await clock.advance(300);
    expect(events).toEqual(['T']);
  });
});
