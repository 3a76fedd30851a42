import { expect, it } from 'vitest';
import { Sessions } from './sessions.js';

it('has the tills in the order of their last login, until they log out', () => {
  const sessions = new Sessions();
  for (const till of ['a', 'b', 'c', 'a']) sessions.login(till);
  expect(sessions.logged()).toEqual(['b', 'c', 'a']);
  sessions.logout('c');
  sessions.logout('unknown');
  expect(sessions.logged()).toEqual(['b', 'a']);
});

it('has 256 tills at most: those that logged in last', () => {
  const sessions = new Sessions();
  const tills = Array.from({ length: 258 }, (_, at) => `till-${at}`);
  for (const till of tills.slice(0, 256)) sessions.login(till);
  expect(sessions.logged()).toEqual(tills.slice(0, 256));
  for (const till of tills.slice(256)) sessions.login(till);
  expect(sessions.logged()).toEqual(tills.slice(2));
});
