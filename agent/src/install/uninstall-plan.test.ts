import { describe, expect, it } from 'vitest';
import { planUninstall, type UninstallFacts } from './uninstall-plan.js';

const FACTS: UninstallFacts = {
  made: ['program', 'user', 'unit', 'udev', 'config'],
  hasManager: true,
  isRunning: true,
  owed: { messages: 0, sales: [] },
  agentId: 'store-7',
  hasHome: true,
};

function statesOf(facts: Partial<UninstallFacts>) {
  const plan = planUninstall({ ...FACTS, ...facts });
  if (plan.kind === 'refused') throw new Error(plan.reason);
  return Object.fromEntries(plan.steps.map(({ id, state }) => [id, state]));
}

const reasonOf = (facts: Partial<UninstallFacts>) => {
  const plan = planUninstall({ ...FACTS, ...facts });
  return plan.kind === 'refused' ? plan.reason : undefined;
};

describe('an uninstallation', () => {
  it('stops the agent, removes what install made, and keeps the home', () => {
    expect(statesOf({})).toEqual({
      stop: 'do',
      unit: 'do',
      udev: 'do',
      config: 'do',
      home: 'skip',
      user: 'do',
      program: 'do',
    });
  });

  it('leaves what install did not make', () => {
    expect(statesOf({ made: ['config'], isRunning: false })).toMatchObject({
      ...{ stop: 'done', unit: 'done', udev: 'done', config: 'do', user: 'done' },
    });
  });

  it('deletes the home where the agent id was typed', () => {
    expect(statesOf({ purge: 'store-7' }).home).toBe('do');
    expect(reasonOf({ purge: 'store-8' })).toContain('type the agent id of this store after it, store-7');
    const { agentId, ...unknown } = FACTS;
    expect(agentId).toBeDefined();
    expect(planUninstall({ ...unknown, purge: '' })).toMatchObject({ kind: 'refused' });
  });

  it.each<[string, UninstallFacts['owed']]>([
    ['a message waits', { messages: 1, sales: [] }],
    ['a sale has no end', { messages: 0, sales: ['order-1'] }],
  ])('is refused while %s, also with the name typed', (_, owed) => {
    for (const purge of [undefined, 'store-7'])
      expect(reasonOf({ owed, ...(purge !== undefined && { purge }) })).toContain('money is owed');
  });

  it('names some of the open sales', () => {
    const sales = Array.from({ length: 7 }, (_, at) => `order-${at}`);
    expect(reasonOf({ owed: { messages: 3, sales } })).toContain(
      '3 message(s) wait for the gateway or a person, 7 sale(s) have no end yet (order-0, order-1, order-2, order-3, order-4 and 2 more)',
    );
  });

  it('is refused where the journal cannot be read, and where nothing can stop the agent', () => {
    expect(reasonOf({ owed: undefined, unreadable: 'the disk failed' })).toContain('the disk failed');
    expect(reasonOf({ hasManager: false })).toContain('end its process');
    expect(reasonOf({ hasManager: false, isRunning: false })).toBeUndefined();
  });
});
