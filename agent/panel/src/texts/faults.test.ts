import { DRIVER_FAILURES, PORT_ERRORS } from '@tillbridge/agent/errors/error-table.js';
import { describe, expect, it } from 'vitest';
import { FAULTS, faultWords, saleFault } from './faults.js';

describe('the words of faults', () => {
  it('are there for each code of a terminal and of its line', () => {
    expect(Object.keys(DRIVER_FAILURES).filter((code) => !faultWords('terminal', code))).toEqual([]);
    expect(Object.keys(PORT_ERRORS).filter((code) => !faultWords('line', code))).toEqual([]);
  });

  it('send no customer for another card where the terminal or the link is at fault', () => {
    const tells = [FAULTS.line, FAULTS.link].flatMap((rows) => Object.values(rows).map(([, tell]) => tell));
    expect(tells).not.toContain('tellOtherCard');
    expect(saleFault({ state: 'done', outcome: 'failed', failure: 'terminal-gone' })).toEqual([
      'doPlug',
      'tellMoment',
    ]);
  });

  it('are those of the terminal before those of the sale, and none where it ended in another way', () => {
    const failed = { state: 'done', outcome: 'failed', reason: 'terminal-failed' };
    expect(saleFault({ ...failed, failure: 'card-expired' })?.[0]).toBe('doOtherCard');
    expect(saleFault(failed)?.[0]).toBe('doRestart');
    expect(saleFault({ ...failed, outcome: 'declined' })).toBeUndefined();
    expect(saleFault({ ...failed, reason: 'constructor' })).toBeUndefined();
  });
});
