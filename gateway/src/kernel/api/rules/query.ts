import { demand, type Rule, wrong } from './rule.js';

/** date.from and date.to are used together, and not with merchantTransactionId. */
export const timeFrameRule: Rule = (facts) => {
  const { sent } = facts;
  if (facts.operation !== 'query') return [];
  const hasFrame = sent.has('date.from') || sent.has('date.to');
  if (!hasFrame) return [];
  const clash = sent.has('merchantTransactionId')
    ? [wrong(facts, 'merchantTransactionId', 'must not be combined with date.from and date.to')]
    : [];
  return [
    ...demand(facts, ['date.from', 'date.to'], 'when the other end of the time frame is sent'),
    ...clash,
  ];
};
