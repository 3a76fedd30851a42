import { shortId } from '@tillbridge/wire/payment/short-id.js';
import { describe, expect, it } from 'vitest';
import { descriptorOf } from './descriptor.js';

const ID = `${'0'.repeat(20)}00e8d4a51007`;

describe('descriptorOf', () => {
  it('takes the name of the merchant over the descriptor, and that over the default', () => {
    expect(descriptorOf({ merchant: { name: 'Shop' }, descriptor: 'Tees' }, ID, 'Channel')).toBe('Shop');
    expect(descriptorOf({ merchant: { city: 'Bonn' }, descriptor: 'Tees' }, ID, 'Channel')).toBe('Tees');
    expect(descriptorOf({}, ID, 'Channel')).toBe('0000.0000.0007 Channel');
  });

  it('keeps to the length of the specification, in characters', () => {
    expect([...descriptorOf({ merchant: { name: '👕'.repeat(130) } }, ID, 'Channel')]).toHaveLength(127);
  });
});

it('shows a short id of twelve digits', () => {
  expect(shortId('f'.repeat(32))).toMatch(/^\d{4}\.\d{4}\.\d{4}$/);
  expect(shortId(`${'0'.repeat(20)}0001cbe991f5`)).toBe('0077.1604.9397');
});
