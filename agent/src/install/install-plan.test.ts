import { describe, expect, it } from 'vitest';
import { INSTALL_STEPS, type InstallFacts, type InstallStepId, planInstall } from './install-plan.js';

/** A machine on which nothing is installed yet. */
const BARE: InstallFacts = {
  scope: 'system',
  isRoot: true,
  program: { from: 'archive' },
  account: { exists: false, missingGroups: ['dialout', 'plugdev'] },
  home: 'missing',
  udev: 'missing',
  unit: 'missing',
  code: { isNewAgent: true, hasAddress: true },
  isConfigChanged: false,
  mode: 'test',
  hasManager: true,
  isRunning: false,
};

/** The same machine when all is done. */
const INSTALLED: InstallFacts = {
  ...BARE,
  program: { from: 'archive', version: '0.1.0' },
  account: { exists: true, missingGroups: [] },
  home: 'ready',
  udev: 'current',
  unit: 'current',
  agentId: 'store-7',
  configured: 2,
  isRunning: true,
};

function statesOf(facts: InstallFacts): Partial<Record<InstallStepId, string>> {
  const plan = planInstall(facts);
  if (plan.kind === 'refused') throw new Error(plan.reason);
  expect(plan.steps.map(({ id }) => id)).toEqual(INSTALL_STEPS);
  for (const { text } of plan.steps) expect(text).not.toBe('');
  return Object.fromEntries(plan.steps.map(({ id, state }) => [id, state]));
}

describe('an installation', () => {
  it('of a bare machine does every step', () => {
    expect(new Set(Object.values(statesOf(BARE)))).toEqual(new Set(['do']));
  });

  it('that was done before checks and tries, and changes nothing', () => {
    const changing = INSTALL_STEPS.filter((id) => !['machine', 'doctor', 'trial-sale'].includes(id));
    const states = statesOf(INSTALLED);
    for (const id of changing) expect(states[id], id).toBe('done');
  });

  it.each<[string, Partial<InstallFacts>, InstallStepId]>([
    ['a program that is in no slot', { program: { from: 'archive' } }, 'program'],
    ['a user without the groups of ports', { account: { exists: true, missingGroups: ['plugdev'] } }, 'user'],
    ['a home that an uninstallation kept', { home: 'of-root' }, 'home'],
    ['rules of udev of another version', { udev: 'differs' }, 'udev'],
    ['a unit of another version', { unit: 'differs' }, 'unit'],
    ['a configuration without terminals', { configured: 0 }, 'terminals'],
    ['an agent that does not run', { isRunning: false }, 'start'],
  ])('goes on with %s alone', (_, facts, step) => {
    const { machine, doctor, 'trial-sale': trial, ...states } = statesOf({ ...INSTALLED, ...facts });
    expect(Object.entries(states).filter(([, state]) => state === 'do')).toEqual([[step, 'do']]);
    expect([machine, doctor, trial]).toEqual(['do', 'do', 'do']);
  });

  it('by an archive of another version than the installed one is refused: neither takes the place of the other', () => {
    const program = { from: 'archive', version: '0.2.0', started: '0.1.0' } as const;
    expect(planInstall({ ...INSTALLED, program })).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(
        /^version 0\.2\.0 is installed, and this archive has 0\.1\.0: .*"update"/,
      ),
    });
    for (const same of [{ ...program, started: '0.2.0' }, { from: 'archive', started: '0.1.0' } as const])
      expect(planInstall({ ...INSTALLED, program: same }).kind).toBe('steps');
  });

  it('goes on from a home that is enrolled, without a code', () => {
    const { code, ...facts } = { ...BARE, home: 'ready' as const, agentId: 'store-7' };
    expect(code).toBeDefined();
    expect(statesOf(facts)).toMatchObject({ enrol: 'done', terminals: 'do', unit: 'do' });
  });

  it('of a user makes no user and no rules, and starts where a manager runs', () => {
    const { account, ...own } = { ...BARE, scope: 'user' as const, isRoot: false };
    expect(account).toBeDefined();
    expect(statesOf({ ...own, udev: 'not-allowed' })).toMatchObject({
      user: 'skip',
      udev: 'skip',
      start: 'do',
    });
    expect(statesOf({ ...own, udev: 'not-allowed', hasManager: false }).start).toBe('skip');
  });

  it('leaves alone what a package brought, and a configuration that a person changed', () => {
    const packaged = { program: { from: 'package' }, unit: 'package', udev: 'package' } as const;
    const facts = { ...packaged, configured: 0, isConfigChanged: true };
    const done = { program: 'done', unit: 'done', udev: 'done', terminals: 'done' };
    expect(statesOf({ ...BARE, ...facts })).toMatchObject(done);
  });

  it('of a program of npm leaves it where it is', () => {
    expect(statesOf({ ...BARE, program: { from: 'elsewhere' } }).program).toBe('skip');
  });

  it('sells on no simulated terminal in live mode', () => {
    expect(statesOf({ ...BARE, mode: 'live' })['trial-sale']).toBe('skip');
  });

  it.each<[string, Partial<InstallFacts>, string]>([
    ['for the machine without root', { isRoot: false }, 'only root'],
    ['from a folder that the service does not see', { hiddenProgram: '/home/anna/bin' }, 'below /opt'],
    ['on the home of another user', { home: 'foreign' }, 'another user'],
    ['with a code for an agent that exists', { code: { isNewAgent: false, hasAddress: true } }, 'enrol-code'],
    ['with a code without an address', { code: { isNewAgent: true, hasAddress: false } }, '--bridge-url'],
  ])('is refused %s', (_, facts, reason) => {
    expect(planInstall({ ...BARE, ...facts })).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    });
  });

  it('is refused without a code where the home is not enrolled', () => {
    const { code, ...facts } = BARE;
    expect(code).toBeDefined();
    expect(planInstall(facts)).toMatchObject({ reason: expect.stringContaining('agents enrol-code') });
  });

  it('of a user may come from a home folder', () => {
    const own = { ...BARE, scope: 'user', isRoot: false, hiddenProgram: '/home/anna/bin' } as const;
    expect(planInstall(own).kind).toBe('steps');
  });
});
