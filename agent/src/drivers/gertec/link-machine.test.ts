import { encodePacket, type FrameEvent } from '@tillbridge/wire/terminals/abecs/framing.js';
import { describe, expect, it } from 'vitest';
import {
  IDLE_LINK,
  type LinkCommand,
  type LinkEffect,
  type LinkEvent,
  type LinkState,
  linkStep,
} from './link-machine.js';

const ascii = (text: string) => Buffer.from(text, 'latin1');
const packet = (text: string): LinkEvent => ({ kind: 'frame', frame: { kind: 'packet', data: ascii(text) } });
const frame = (kind: 'ack' | 'nak' | 'eot' | 'bad-crc' | 'oversize' | 'torn'): LinkEvent => ({
  kind: 'frame',
  frame: { kind } as FrameEvent,
});
const timer = (name: 'ack' | 'answer' | 'byte' | 'silence' | 'eot'): LinkEvent => ({
  kind: 'timer',
  timer: name,
});

const GIX: LinkCommand = {
  id: 'GIX',
  packet: encodePacket(ascii('GIX')),
  answerWithinMs: 10_000,
  blocking: false,
};
const GCX: LinkCommand = {
  id: 'GCX',
  packet: encodePacket(ascii('GCX')),
  answerWithinMs: 90_000,
  blocking: true,
};

function run(events: readonly LinkEvent[]): { state: LinkState; effects: LinkEffect[] } {
  let state: LinkState = IDLE_LINK;
  const effects: LinkEffect[] = [];
  for (const event of events) {
    const step = linkStep(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const written = (effects: readonly LinkEffect[]) =>
  effects.flatMap((effect) =>
    effect.kind === 'write' ? [Buffer.from(effect.bytes).toString('hex').slice(0, 2)] : [],
  );
const messages = (effects: readonly LinkEffect[]) =>
  effects.flatMap((effect) => (effect.kind === 'message' ? [effect.message] : []));
const results = (effects: readonly LinkEffect[]) =>
  messages(effects).filter(({ kind }) => kind !== 'notification');
const command = (it: LinkCommand): LinkEvent => ({ kind: 'command', command: it });

describe('ABECS link machine', () => {
  it('sends, takes ACK, then the answer', () => {
    const { state, effects } = run([command(GIX), frame('ack'), packet('GIX000')]);
    expect(results(effects)).toEqual([{ kind: 'answer', data: ascii('GIX000') }]);
    expect(state).toEqual(IDLE_LINK);
    expect(effects.at(-2)).toEqual({ kind: 'stop-timers' });
  });

  it('sends three times on NAK or silence, then gives up', () => {
    const rejected = run([command(GIX), frame('nak'), frame('nak'), frame('nak')]);
    expect(written(rejected.effects)).toHaveLength(3);
    expect(results(rejected.effects)).toEqual([{ kind: 'failed', reason: 'rejected' }]);
    const silent = run([command(GIX), timer('ack'), timer('ack'), timer('ack')]);
    expect(written(silent.effects)).toHaveLength(3);
    expect(results(silent.effects)).toEqual([{ kind: 'failed', reason: 'no-ack' }]);
    const second = run([command(GIX), frame('nak'), frame('ack'), packet('GIX000')]);
    expect(results(second.effects)).toMatchObject([{ kind: 'answer' }]);
  });

  it('takes the answer as proof of a lost ACK', () => {
    const { effects } = run([command(GIX), packet('GIX000')]);
    expect(results(effects)).toMatchObject([{ kind: 'answer' }]);
  });

  it('requests a damaged answer again after silence, three times at most', () => {
    const once = run([command(GIX), frame('ack'), frame('bad-crc'), timer('silence'), packet('GIX000')]);
    expect(written(once.effects)).toEqual(['16', '15']);
    expect(results(once.effects)).toMatchObject([{ kind: 'answer' }]);
    const thrice = run([
      command(GIX),
      frame('ack'),
      frame('bad-crc'),
      timer('silence'),
      frame('oversize'),
      timer('silence'),
      timer('byte'),
    ]);
    expect(written(thrice.effects)).toEqual(['16', '15', '15']);
    expect(results(thrice.effects)).toEqual([{ kind: 'failed', reason: 'damaged' }]);
  });

  it('drops everything until the line is silent, and gives up a line that never is', () => {
    const babble = [frame('bad-crc'), { kind: 'bytes', inside: true } as const, packet('GIX000')];
    const { state, effects } = run([command(GIX), frame('ack'), ...babble]);
    expect(state.phase).toBe('resync');
    expect(results(effects)).toEqual([]);
    expect(results(run([command(GIX), frame('ack'), ...babble, timer('answer')]).effects)).toEqual([
      { kind: 'failed', reason: 'no-answer' },
    ]);
  });

  it('passes notifications on and ignores late answers to another command', () => {
    const { effects } = run([
      command(GCX),
      frame('ack'),
      packet('NTM000'),
      packet('DSP000'),
      packet('GCX000'),
    ]);
    expect(messages(effects).filter(({ kind }) => kind === 'notification')).toHaveLength(1);
    expect(results(effects)).toEqual([{ kind: 'answer', data: ascii('GCX000') }]);
  });

  it('takes the answer for an unknown command', () => {
    expect(results(run([command(GIX), frame('ack'), packet('ERR010')]).effects)).toMatchObject([
      { kind: 'answer' },
    ]);
  });

  it('fails a plain command that is not answered, and cancels a blocking one', () => {
    expect(results(run([command(GIX), frame('ack'), timer('answer')]).effects)).toEqual([
      { kind: 'failed', reason: 'no-answer' },
    ]);
    const guard = run([command(GCX), frame('ack'), timer('answer'), frame('eot')]);
    expect(written(guard.effects)).toEqual(['16', '18']);
    expect(results(guard.effects)).toEqual([{ kind: 'failed', reason: 'no-answer' }]);
  });

  it('cancels until EOT and ignores everything else meanwhile', () => {
    const cancelled = run([
      command(GCX),
      frame('ack'),
      { kind: 'cancel' },
      packet('GCX000'),
      timer('eot'),
      frame('eot'),
    ]);
    expect(written(cancelled.effects)).toEqual(['16', '18', '18']);
    expect(results(cancelled.effects)).toEqual([{ kind: 'cancelled' }]);
    const deaf = run([{ kind: 'cancel' }, timer('eot'), timer('eot'), timer('eot')]);
    expect(written(deaf.effects)).toEqual(['18', '18', '18']);
    expect(results(deaf.effects)).toEqual([{ kind: 'failed', reason: 'no-eot' }]);
  });

  it('lets stray frames and timers in idle pass', () => {
    const { state, effects } = run([
      packet('GCX000'),
      frame('ack'),
      frame('eot'),
      timer('ack'),
      timer('silence'),
    ]);
    expect(state).toEqual(IDLE_LINK);
    expect(effects).toEqual([]);
  });

  it('refuses a second command while one runs', () => {
    expect(() => run([command(GIX), command(GIX)])).toThrow(/while the link is sending/);
  });

  it('never finishes a command twice and always ends idle or closed, on any input', () => {
    const choices: readonly LinkEvent[] = [
      frame('ack'),
      frame('nak'),
      frame('eot'),
      frame('bad-crc'),
      frame('oversize'),
      frame('torn'),
      packet('GCX000'),
      packet('GIX000'),
      packet('NTM000'),
      timer('ack'),
      timer('answer'),
      timer('byte'),
      timer('silence'),
      timer('eot'),
      { kind: 'bytes', inside: true },
      { kind: 'bytes', inside: false },
      { kind: 'cancel' },
    ];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    for (let round = 0; round < 500; round += 1) {
      let state: LinkState = IDLE_LINK;
      let open = 0;
      for (let step = 0; step < 40; step += 1) {
        const start = state.phase === 'idle' && next(3) === 0;
        const event = start ? command(GCX) : (choices[next(choices.length)] ?? { kind: 'cancel' });
        if (start || (event.kind === 'cancel' && state.phase === 'idle')) open += 1;
        const taken = linkStep(state, event);
        open -= results(taken.effects).length;
        state = taken.state;
        expect(open).toBe(state.phase === 'idle' ? 0 : 1);
      }
    }
  });
});
