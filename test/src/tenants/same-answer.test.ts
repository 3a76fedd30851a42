import { expect, test } from 'vitest';
import { comparable } from './same-answer.js';

test('an id is replaced where it stands as a word, not within a longer id', () => {
  const answer = {
    terminalId: '9123',
    entityId: '8448b421a9123a7b30b',
    text: 'terminal 9123, TERMINAL-9123.',
  };
  expect(comparable(answer, { 9123: 'the id' })).toEqual({
    terminalId: '(the id)',
    entityId: '8448b421a9123a7b30b',
    text: 'terminal (the id), TERMINAL-(the id).',
  });
});
