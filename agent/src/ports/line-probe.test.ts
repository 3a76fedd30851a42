import { expect, it } from 'vitest';
import { LineProbe, linesToTry } from './line-probe.js';

const MODEL = { baudRate: 19_200, parity: 'none' } as const;

it('tries the settings of the model first, and each once', () => {
  const lines = linesToTry(MODEL);
  expect(lines[0]).toEqual(MODEL);
  expect(new Set(lines.map((each) => JSON.stringify(each))).size).toBe(lines.length);
  expect(lines).toContainEqual({ baudRate: 115_200, parity: 'odd' });
});

it('goes on until the terminal answers, begins again after the last, and keeps what it has found', () => {
  const probe = new LineProbe(MODEL);
  const count = linesToTry(MODEL).length;
  const tried = Array.from({ length: count + 2 }, () => probe.opening());
  expect(tried.slice(0, count)).toEqual(linesToTry(MODEL));
  expect(tried.slice(count)).toEqual(linesToTry(MODEL).slice(0, 2));
  expect(probe.isFound).toBe(false);
  probe.answered();
  expect(probe.isFound).toBe(true);
  expect([probe.opening(), probe.opening(), probe.current]).toEqual(Array(3).fill(tried.at(-1)));
});
