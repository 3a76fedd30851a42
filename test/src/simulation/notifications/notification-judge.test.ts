import { describe, expect, it } from 'vitest';
import { type JudgedEndpoint, judgeEndpoint } from './notification-judge.js';
import type { Notification } from './webhook-receivers.js';

const APPROVED = '000.100.110';

function notification(sequence: number, about: Partial<Notification> = {}): Notification {
  const payload = { id: `p${sequence}`, result: { code: APPROVED } };
  return { sequence, id: `e${sequence}`, type: 'PAYMENT', payload, ...about };
}

/** Two payments, each notified under its own number, unless `about` has something else. */
function judged(about: Partial<Omit<JudgedEndpoint, 'received'>> & { received?: readonly Notification[] }) {
  const { received = [notification(1), notification(2)], ...others } = about;
  const breaches: string[] = [];
  const endpoint: JudgedEndpoint = {
    deliveries: [1, 2].map((sequence) => ({ sequence, state: 'delivered', eventId: `e${sequence}` })),
    payments: [1, 2].map((number) => ({ id: `p${number}`, resultCode: APPROVED, reference: `R-${number}` })),
    isComplete: true,
    received: new Map(received.map((each) => [each.sequence, each])),
    ...others,
  };
  judgeEndpoint(endpoint, (text) => breaches.push(text));
  return breaches;
}

describe('notifications of an endpoint', () => {
  it('are numbered from 1 on, without a gap', () => {
    expect(judged({})).toEqual([]);
    const deliveries = [1, 3].map((number) => ({
      ...{ sequence: number, state: 'delivered' as const, eventId: `e${number}` },
    }));
    expect(judged({ deliveries, isComplete: false })).toContain(
      'number 2 is no delivery, and later ones are',
    );
  });

  it('have an event each, which is received under their number', () => {
    const deliveries = [1, 2].map((sequence) => ({ sequence, state: 'delivered' as const, eventId: 'e1' }));
    expect(judged({ deliveries })).toHaveLength(2);
    expect(judged({ received: [notification(1)] })).toContain(
      'number 2 is delivered, and was never received',
    );
    const deliveriesLeft = [{ sequence: 1, state: 'waiting' as const, eventId: 'e1' }];
    expect(judged({ deliveries: deliveriesLeft, received: [notification(1)] })).toContain(
      'number 1 is waiting for ever',
    );
    expect(judged({ deliveries: deliveriesLeft, received: [], isComplete: false })).toEqual([]);
  });

  it('report once how each payment ended', () => {
    const twice = [notification(1), notification(2, { payload: notification(1).payload })];
    expect(judged({ received: twice })).toHaveLength(2);
    const otherwise = notification(2, { payload: { id: 'p2', result: { code: '800.100.152' } } });
    expect(judged({ received: [notification(1), otherwise] })).toHaveLength(1);
    expect(judged({ payments: [] })).toHaveLength(2);
  });
});
