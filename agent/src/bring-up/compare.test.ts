import { expect, test } from 'vitest';
import { differencesOf } from './compare.js';
import type { Observation } from './observation.js';

const SEEN: Observation = {
  outcome: 'online-required, then completed',
  tags: '82 95 9F24',
  pace: 'slow',
  messages: ['notification 1', 'answer 2', 'notification 3', 'answer 9F41'],
  masked: [],
};

const differences = (found: Partial<Observation>) =>
  differencesOf({ chip: SEEN }, [{ step: 'chip', seen: { ...SEEN, ...found } }]);

test('a device that does the same has no difference', () => {
  expect(differences({})).toEqual([]);
});

test('what a device sends by itself must keep its order; answers follow the host', () => {
  const [one = '', two = '', three = '', four = ''] = SEEN.messages;
  expect(differences({ messages: [two, one, four, three] })).toEqual([]);
  expect(differences({ messages: [three, two, one, four] })).toEqual([
    {
      step: 'chip',
      what: 'order of the messages',
      expected: 'notification 1 → notification 3',
      found: 'notification 3 → notification 1',
    },
  ]);
});

test('either end of a race is the same', () => {
  expect(differences({ messages: [...SEEN.messages.slice(0, 3), 'answer 9F44'] })).toEqual([]);
});

test('a quicker answer is none, a later one is', () => {
  expect(differences({ pace: 'prompt' })).toEqual([]);
  expect(differences({ pace: 'late' })).toMatchObject([{ what: 'time of the answer', found: 'late' }]);
});

test('tags of some cards may be missing, and more may come', () => {
  expect(differences({ tags: '82 95 9F6E' })).toEqual([]);
  expect(differences({ tags: '82' })).toMatchObject([{ expected: '95', found: 'missing' }]);
});

test('a step that ended otherwise is a difference; one without an expected end is none', () => {
  expect(differences({ outcome: 'failed: card-error' })).toMatchObject([{ what: 'outcome' }]);
  expect(differencesOf({}, [{ step: 'tap', seen: SEEN }])).toEqual([]);
});
