import { expect, test } from 'vitest';
import { BootIds } from './boot-ids.js';

test('a process that reconnects, and one that was started again, are one agent', () => {
  const boots = new BootIds();
  for (const boot of ['a', 'a', 'b', 'b', 'c']) expect(boots.returns('store-1', boot)).toBe(false);
});

test('a process that connects again after another one runs in parallel with it', () => {
  const boots = new BootIds();
  for (const boot of ['a', 'b']) boots.returns('store-1', boot);
  expect(boots.returns('store-2', 'a')).toBe(false);
  expect(boots.returns('store-1', 'a')).toBe(true);
  expect(boots.returns('store-1', 'b')).toBe(true);
});

test('remembers a few processes of an agent, the last ones', () => {
  const boots = new BootIds();
  for (let boot = 0; boot < 100; boot += 1) expect(boots.returns('store-1', `${boot}`)).toBe(false);
  expect(boots.returns('store-1', '95')).toBe(true);
  expect(boots.returns('store-1', '3')).toBe(false);
});

test('remembers a process however often the one after it has reconnected', () => {
  const boots = new BootIds();
  boots.returns('store-1', 'a');
  for (let connects = 0; connects < 100; connects += 1) boots.returns('store-1', 'b');
  expect(boots.returns('store-1', 'a')).toBe(true);
});
