import { expect, it } from 'vitest';
import { type Continuation, decodeContinuation, encodeContinuation } from './continuation.js';

it('reads what it wrote', () => {
  const continuation = {
    request: { type: 'DB', amount: { minor: 100, currency: 'EUR' } },
    instrument: { kind: 'card', pan: '4200000000000000' },
    gate: 'three-d-secure',
    state: { step: 'ä' },
  } as unknown as Continuation;
  expect(decodeContinuation(encodeContinuation(continuation))).toEqual(continuation);
});
