import { describe, expect, it } from 'vitest';
import {
  FOLLOW_UPS,
  LIFECYCLE,
  lifecycleCell,
  type PaymentState,
  type ReferencedType,
  SITUATIONS,
  STATE_REFUSALS,
} from './lifecycle.js';
import { isResultCode } from './result-codes/result-codes.js';

const TYPES: readonly ReferencedType[] = ['PA', 'PA.CP', 'DB', 'CD', 'CP', 'RF', 'RV', 'RB', 'RC'];
const STATES: readonly PaymentState[] = [
  'pending',
  'authorized',
  'captured',
  'credited',
  'completed',
  'declined',
  'reversed',
];

describe('lifecycle', () => {
  it('answers every refusal with a code of the catalogue', () => {
    const codes: string[] = [
      ...Object.values(SITUATIONS),
      ...Object.values(STATE_REFUSALS),
      ...Object.values(LIFECYCLE).flatMap(({ unknown, amount, window }) => [
        unknown,
        amount.above,
        ...(window ? [window.late] : []),
      ]),
    ];
    for (const followUp of FOLLOW_UPS) {
      for (const type of TYPES) codes.push(...STATES.map((state) => lifecycleCell(followUp, type, state)));
    }
    expect(codes.filter((code) => code !== 'allowed' && !isResultCode(code))).toEqual([]);
  });

  it('lets nothing follow what was declined or is pending', () => {
    for (const followUp of FOLLOW_UPS) {
      for (const type of TYPES) {
        expect(lifecycleCell(followUp, type, 'declined')).toBe('700.300.200');
        expect(lifecycleCell(followUp, type, 'pending')).toBe('700.400.570');
      }
    }
  });

  it.each([
    ['CP', 'PA', 'authorized', 'allowed'],
    ['CP', 'PA', 'captured', 'allowed'],
    ['CP', 'PA', 'reversed', '700.400.100'],
    ['CP', 'DB', 'captured', '700.400.510'],
    ['CP', 'PA.CP', 'captured', '700.400.100'],
    ['RF', 'PA.CP', 'captured', 'allowed'],
    ['RF', 'PA.CP', 'reversed', '700.400.200'],
    ['RF', 'RC', 'completed', 'allowed'],
    ['RF', 'CD', 'credited', '700.300.100'],
    ['RV', 'PA.CP', 'captured', 'allowed'],
    ['RV', 'RC', 'completed', '700.300.100'],
    ['RB', 'PA.CP', 'captured', 'allowed'],
    ['RC', 'RC', 'completed', '700.400.560'],
    ['INCREMENTAL_AUTH', 'PA.CP', 'captured', '700.300.300'],
    ['RF', 'DB', 'captured', 'allowed'],
    ['RF', 'CP', 'completed', 'allowed'],
    ['RF', 'RB', 'captured', 'allowed'],
    ['RF', 'PA', 'captured', 'allowed'],
    ['RF', 'PA', 'authorized', '700.300.100'],
    ['RF', 'DB', 'reversed', '700.400.200'],
    ['RF', 'RF', 'completed', '700.300.100'],
    ['RV', 'PA', 'authorized', 'allowed'],
    ['RV', 'CD', 'credited', 'allowed'],
    ['RV', 'CP', 'completed', 'allowed'],
    ['RV', 'DB', 'reversed', '700.400.300'],
    ['RV', 'RF', 'completed', '700.300.100'],
    ['RV', 'RV', 'completed', '700.300.100'],
    ['RB', 'DB', 'captured', 'allowed'],
    ['RB', 'PA', 'authorized', '700.300.100'],
    ['RC', 'DB', 'captured', 'allowed'],
    ['RC', 'CD', 'credited', '700.400.560'],
    ['REAUTHORIZATION', 'PA', 'reversed', 'allowed'],
    ['INCREMENTAL_AUTH', 'PA', 'authorized', 'allowed'],
    ['INCREMENTAL_AUTH', 'PA', 'captured', '700.300.300'],
    ['INCREMENTAL_AUTH', 'DB', 'captured', '700.300.100'],
  ] as const)('%s on a %s that is %s: %s', (followUp, type, state, cell) => {
    expect(lifecycleCell(followUp, type, state)).toBe(cell);
  });
});
