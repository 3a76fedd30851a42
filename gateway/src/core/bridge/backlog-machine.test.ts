import { describe, expect, test } from 'vitest';
import {
  type BacklogEffect,
  type BacklogEvent,
  type BacklogState,
  backlogStep,
  initialBacklog,
  isStreamEnvelope,
  isStreamKind,
  type StreamEnvelope,
} from './backlog-machine.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';

const LIMITS = { ...DEFAULT_BRIDGE_LIMITS, parallelStreams: 2, backlogCredits: 4 };

function reversal(terminalId: string, sequence: number, id = `${terminalId}-${sequence}`): StreamEnvelope {
  const body = { originalMessageId: 'o', reference: 'r', reason: '', iccData: new Uint8Array() };
  return { id, terminalId, sequence, kind: 'reversal', body };
}

const arrived = (terminalId: string, sequence: number, id?: string): BacklogEvent => ({
  kind: 'arrived',
  envelope: reversal(terminalId, sequence, id),
});
const finished = (terminalId: string): BacklogEvent => ({ kind: 'finished', terminalId });

function text(effect: BacklogEffect): string {
  if (effect.kind === 'handle') return effect.envelope.id;
  if (effect.kind === 'gap') return `gap ${effect.terminalId} ${effect.expected}<${effect.got}`;
  if (effect.kind === 'violation') return `violation: ${effect.reason}`;
  expect(effect).toEqual({ kind: 'gap-closed', terminalId: expect.any(String) });
  return '';
}

/** Runs events one after the other. @returns what each led to */
function run(positions: Parameters<typeof initialBacklog>[0], ...events: BacklogEvent[]): string[][] {
  let state: BacklogState = initialBacklog(positions);
  return events.map((event) => {
    const step = backlogStep(state, event, LIMITS);
    state = step.state;
    return step.effects.map(text).filter((line) => line !== '');
  });
}

describe('within a stream', () => {
  test('one message at a time, in order', () => {
    expect(run([], arrived('a', 1), arrived('a', 2), arrived('a', 3), finished('a'), finished('a'))).toEqual([
      ['a-1'],
      [],
      [],
      ['a-2'],
      ['a-3'],
    ]);
  });

  test('a message that overtook another waits for it', () => {
    const at4 = [{ terminalId: 'a', nextSequence: 4 }];
    expect(run(at4, arrived('a', 5), arrived('a', 4), finished('a'))).toEqual([
      ['gap a 4<5'],
      ['a-4'],
      ['a-5'],
    ]);
  });

  test('a hole behind handled messages is a gap too', () => {
    expect(run([], arrived('a', 1), arrived('a', 3), finished('a'))).toEqual([['a-1'], [], ['gap a 2<3']]);
  });

  test('a lower number is handled at once and does not move the position back', () => {
    const at9 = [{ terminalId: 'a', nextSequence: 9 }];
    expect(
      run(at9, arrived('a', 2), finished('a'), arrived('a', 9), finished('a'), arrived('a', 11)),
    ).toEqual([['a-2'], [], ['a-9'], [], ['gap a 10<11']]);
  });

  test('a repeat of what is in work or waits changes nothing', () => {
    expect(
      run([], arrived('a', 1), arrived('a', 2), arrived('a', 1), arrived('a', 2), finished('a')),
    ).toEqual([['a-1'], [], [], [], ['a-2']]);
  });

  test('two messages at one place, no place, or more than the credits are violations', () => {
    expect(run([], arrived('a', 1), arrived('a', 1, 'other'))[1]).toEqual([
      'violation: two messages at 1 of stream a',
    ]);
    expect(run([], arrived('a', 0))[0]?.[0]).toMatch(/without a terminal or sequence/);
    expect(run([], arrived('', 1))[0]?.[0]).toMatch(/without a terminal or sequence/);
    const five = [1, 2, 3, 4, 5].map((sequence) => arrived('a', sequence));
    expect(run([], ...five)[4]).toEqual(['violation: more than 4 stream messages unacknowledged']);
  });
});

describe('between streams', () => {
  test('they run in parallel up to the limit, in turn', () => {
    expect(run([], arrived('a', 1), arrived('b', 1), arrived('c', 1), finished('b'), finished('a'))).toEqual([
      ['a-1'],
      ['b-1'],
      [],
      ['c-1'],
      [],
    ]);
  });

  test('a postponed message holds up its own stream alone, and comes again', () => {
    const events = [
      arrived('a', 1),
      arrived('a', 2),
      arrived('b', 1),
      arrived('c', 1),
      { kind: 'postponed', terminalId: 'a' } as const,
      finished('b'),
      { kind: 'resumed', terminalId: 'a' } as const,
      finished('a'),
    ];
    expect(run([], ...events)).toEqual([['a-1'], [], ['b-1'], [], ['c-1'], [], ['a-1'], ['a-2']]);
  });

  test('live messages leave one stream at a time, and never none', () => {
    const events = [
      { kind: 'live-began' } as const,
      arrived('a', 1),
      arrived('b', 1),
      finished('a'),
      arrived('c', 1),
      { kind: 'live-ended' } as const,
    ];
    expect(run([], ...events)).toEqual([[], ['a-1'], [], ['b-1'], [], ['c-1']]);
  });
});

test('a stream has the kinds that move money, and no others', () => {
  for (const kind of ['reversal', 'offlineRecord', 'capture', 'voiceAuthorization', 'cancelIfUnseen'])
    expect(isStreamKind(kind)).toBe(true);
  for (const kind of ['authorization', 'heartbeat', 'toString']) expect(isStreamKind(kind)).toBe(false);
  expect(isStreamEnvelope(reversal('a', 1))).toBe(true);
});

describe('the end of a message', () => {
  test('frees its place for one of another stream, whatever it led to', () => {
    const filled = [arrived('a', 1), arrived('b', 1), arrived('c', 1), arrived('d', 1)];
    const postponed = { kind: 'postponed', terminalId: 'a' } as const;
    expect(run([], ...filled, postponed, finished('b'))).toEqual([
      ['a-1'],
      ['b-1'],
      [],
      [],
      ['c-1'],
      ['d-1'],
    ]);
  });

  test('gives a credit back', () => {
    const events = [1, 2, 3, 4].map((sequence) => arrived('a', sequence));
    expect(run([], ...events, finished('a'), arrived('b', 1), arrived('b', 2))).toEqual([
      ['a-1'],
      [],
      [],
      [],
      ['a-2'],
      ['b-1'],
      ['violation: more than 4 stream messages unacknowledged'],
    ]);
  });

  test('reports a gap once for what comes after it, and goes on when the missing one is there', () => {
    expect(
      run(
        [],
        arrived('a', 1),
        arrived('a', 3),
        finished('a'),
        arrived('a', 4),
        arrived('a', 2),
        finished('a'),
      ),
    ).toEqual([['a-1'], [], ['gap a 2<3'], ['gap a 2<4'], ['a-2'], ['a-3']]);
  });

  test('is a gap for each stream by itself', () => {
    const at3 = [
      { terminalId: 'a', nextSequence: 3 },
      { terminalId: 'b', nextSequence: 1 },
    ];
    expect(run(at3, arrived('a', 4), arrived('b', 1))).toEqual([['gap a 3<4'], ['b-1']]);
  });
});

test('a message that is in work may not come as another one, and a postponed one waits for its turn', () => {
  expect(
    run(
      [],
      arrived('a', 1),
      { kind: 'postponed', terminalId: 'a' },
      arrived('a', 2),
      arrived('a', 1),
      arrived('a', 1, 'other'),
      { kind: 'resumed', terminalId: 'a' },
    ),
  ).toEqual([['a-1'], [], [], [], ['violation: two messages at 1 of stream a'], ['a-1']]);
});

test('live messages that overlap end one after the other', () => {
  const live = [{ kind: 'live-began' } as const, { kind: 'live-began' } as const];
  const ended = { kind: 'live-ended' } as const;
  expect(run([], ...live, arrived('a', 1), arrived('b', 1), ended, ended)).toEqual([
    [],
    [],
    ['a-1'],
    [],
    [],
    ['b-1'],
  ]);
});

test('a message in work holds up each later one of its stream, at a number before the next one as well', () => {
  const at9 = [{ terminalId: 'a', nextSequence: 9 }];
  expect(run(at9, arrived('a', 2), arrived('a', 9), finished('a'))).toEqual([['a-2'], [], ['a-9']]);
});

test('a gap names the first message after it', () => {
  expect(run([], arrived('a', 1), arrived('a', 4), arrived('a', 3), finished('a')).at(-1)).toEqual([
    'gap a 2<3',
  ]);
});

test('streams take turns while live messages run', () => {
  const live = { kind: 'live-began' } as const;
  const arrivals = [arrived('a', 1), arrived('a', 2), arrived('a', 3), arrived('b', 1)];
  const steps = run([], live, ...arrivals, finished('a'), finished('a'), finished('b'));
  expect(steps.slice(-3)).toEqual([['a-2'], ['b-1'], ['a-3']]);
});

test('a message that is handled closes the gap of its stream', () => {
  const { effects } = backlogStep(initialBacklog([]), arrived('a', 1), LIMITS);
  expect(effects).toEqual([
    { kind: 'gap-closed', terminalId: 'a' },
    { kind: 'handle', envelope: reversal('a', 1) },
  ]);
});
