import { describe, expect, it } from 'vitest';
import { changedLines } from './changed-lines.js';

describe('lines that a change adds', () => {
  it('are read from the heads of its hunks', () => {
    const diff = [
      'diff --git a/gateway/src/a.ts b/gateway/src/a.ts',
      '--- a/gateway/src/a.ts',
      '+++ b/gateway/src/a.ts',
      '@@ -3 +3,2 @@ function one() {',
      '-old',
      '+new',
      '+line',
      '@@ -9,2 +11 @@',
      '-x',
      '-y',
      '+z',
      '--- a/agent/src/b.ts',
      '+++ b/agent/src/b.ts',
      '@@ -0,0 +1,5 @@',
    ].join('\n');
    expect(changedLines(diff)).toEqual([
      { file: 'gateway/src/a.ts', from: 3, to: 4 },
      { file: 'gateway/src/a.ts', from: 11, to: 11 },
      { file: 'agent/src/b.ts', from: 1, to: 5 },
    ]);
  });

  it('are none where lines were taken away', () => {
    expect(changedLines('+++ b/a.ts\n@@ -3,4 +2,0 @@\n-a\n')).toEqual([]);
  });
});
