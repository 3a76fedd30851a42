import { describe, expect, it } from 'vitest';
import { UpdateError } from './base/update-error.js';
import { carryOut, takeUp, type UpdatePorts } from './carry-out.js';
import { nextState, type Plan, type UpdateState } from './machine/update-machine.js';

const PLAN: Plan = { kind: 'update', release: 2, version: '0.2.0', slot: 'b', from: 'a' };
const BEFORE = { linked: true, ready: ['1001'] };
const BEGUN = nextState({ phase: 'idle' }, { kind: 'begin', plan: PLAN });

/** Effects that are noted, some of which fail. */
function portsOf(change: Partial<UpdatePorts> = {}) {
  const calls: string[] = [];
  const saved: UpdateState[] = [];
  const noted = (name: string) => async () => void calls.push(name);
  const ports: UpdatePorts = {
    save: (state) => void saved.push(state),
    current: () => 'a',
    unpack: noted('unpack'),
    rehearse: noted('rehearse'),
    look: async () => ({ before: BEFORE }),
    stop: noted('stop'),
    copy: noted('copy'),
    switchTo: (slot) => void calls.push(`switch ${slot}`),
    start: async (slot, before) => void calls.push(`start ${slot} ${before?.ready.join()}`),
    tell: () => undefined,
    waitForIdle: async () => false,
    ...change,
  };
  return { calls, saved, ports };
}

const fails = (text: string) => async () => {
  throw new UpdateError(text);
};

describe('an update', () => {
  it('is carried out in its order, each state durable before its effect', async () => {
    const { calls, saved, ports } = portsOf();
    expect(await carryOut(BEGUN, ports)).toMatchObject({ phase: 'updated' });
    expect(calls).toEqual(['unpack', 'rehearse', 'stop', 'copy', 'switch b', 'start b 1001']);
    expect(saved.map(({ phase }) => phase)).toEqual([
      ...['rehearsing', 'waiting', 'stopping', 'copying', 'switching', 'starting', 'updated'],
    ]);
  });

  it('ends in front of the switch with the program of before, and with the reason', async () => {
    const { calls, ports } = portsOf({ copy: fails('the journal is damaged') });
    expect(await carryOut(BEGUN, ports)).toMatchObject({
      phase: 'refused',
      reason: 'the journal is damaged',
    });
    expect(calls).toEqual(['unpack', 'rehearse', 'stop', 'start a 1001']);
  });

  it('goes back behind the switch where the new program is not healthy', async () => {
    const starts: string[] = [];
    const { calls, ports } = portsOf({
      start: async (slot) => {
        starts.push(slot);
        if (slot === 'b') throw new UpdateError('not healthy');
      },
    });
    expect(await carryOut(BEGUN, ports)).toMatchObject({ phase: 'rolled-back', reason: 'not healthy' });
    expect(starts).toEqual(['b', 'a']);
    expect(calls.slice(-2)).toEqual(['stop', 'switch a']);
  });

  it('names a fault that is none of its own, and goes back all the same', async () => {
    const { ports } = portsOf({
      unpack: async () => {
        throw new RangeError('disk full');
      },
    });
    expect(await carryOut(BEGUN, ports)).toMatchObject({ phase: 'refused', reason: 'RangeError: disk full' });
  });

  it('stays where it waits when the patience for a busy store is over, and goes on from there', async () => {
    const shown: (string | undefined)[] = [];
    const busy = portsOf({
      look: async () => ({ notYet: 'terminal 1001 runs r1' }),
      tell: (_, notYet) => void shown.push(notYet),
    });
    const state = await carryOut(BEGUN, busy.ports);
    expect(state.phase).toBe('waiting');
    expect(shown).toContain('terminal 1001 runs r1');
    expect(busy.calls).toEqual(['unpack', 'rehearse']);
    const { calls, ports } = portsOf();
    expect(await takeUp(state, ports)).toMatchObject({ phase: 'updated' });
    expect(calls).toEqual(['stop', 'copy', 'switch b', 'start b 1001']);
  });
});
