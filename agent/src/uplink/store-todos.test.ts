import { expect, it } from 'vitest';
import { StoreTodos } from './store-todos.js';

const TODO = { terminalId: '1', sinceMs: 5, reason: 'no device; tillbridge-gateway devices add SERIAL' };

it('each list takes the place of the one before, and an answer without one changes nothing', () => {
  const todos = new StoreTodos();
  expect(todos.list()).toEqual([]);
  todos.take({ todos: [TODO] });
  todos.take(undefined);
  expect(todos.list()).toEqual([TODO]);
  todos.take({ todos: [] });
  expect(todos.list()).toEqual([]);
});

it('a card number in a text of the gateway is masked', () => {
  const todos = new StoreTodos();
  todos.take({ todos: [{ ...TODO, reason: 'card 4111111111111111' }] });
  expect(todos.list()[0]?.reason).not.toContain('4111111111111111');
});
