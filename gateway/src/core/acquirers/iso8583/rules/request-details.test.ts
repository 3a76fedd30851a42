import { MAX_DETAILS_LENGTH } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { expect, it } from 'vitest';
import type { AcquirerMoneyRequest } from '../../acquirer.js';
import { requestDetails, standingText } from './request-details.js';

const of = (details?: Readonly<Record<string, string>>, deferred?: boolean) =>
  requestDetails({ ...(details && { details }), ...(deferred && { deferred }) } as AcquirerMoneyRequest);
/** A parameter of so many characters in the form. */
const filled = (length: number) => 'x'.repeat(length - 'a='.length);

it('carries what the merchant sent as a form, and parameters with an element of their own there', () => {
  expect(of({ transactionCategory: 'EC', a: 'b c', lifecycleId: 'one' })).toEqual({
    transactionCategory: 'EC',
    lifecycleId: 'one',
    details: 'a=b+c',
  });
  expect(of({ transactionPurposeCode: 'ü' })).toEqual({ details: 'transactionPurposeCode=%C3%BC' });
  expect(of({ toString: 'x' } as never)).toEqual({ details: 'toString=x' });
  expect(of()).toEqual({});
  expect(of({}, true)).toEqual({ deferred: '1' });
});

it('carries as much as fits, and counts what does not', () => {
  expect(of({ a: filled(MAX_DETAILS_LENGTH) })).toEqual({ details: `a=${filled(MAX_DETAILS_LENGTH)}` });
  expect(of({ a: filled(MAX_DETAILS_LENGTH + 1), b: 'c' })).toEqual({ detailsLeftOut: '2' });
  expect(of({ z: 'y', a: filled(MAX_DETAILS_LENGTH) })).toEqual({ details: 'z=y', detailsLeftOut: '1' });
});

it('carries an entry of a list whole or not at all', () => {
  const entry = { 'cart.items[0].name': 'n', 'cart.items[0].price': filled(MAX_DETAILS_LENGTH) };
  expect(of({ z: 'y', ...entry })).toEqual({ details: 'z=y', detailsLeftOut: '2' });
  const { details } = of({ 'cart.items[0].name': 'n', z: 'y', 'cart.items[0].price': '1' });
  expect([...new URLSearchParams(details).keys()]).toEqual([
    'cart.items[0].name',
    'cart.items[0].price',
    'z',
  ]);
  expect([...new URLSearchParams(of({ 'a[0]': '1', b: '2', 'a[0]x': '3' }).details).keys()]).toEqual([
    'a[0]',
    'b',
    'a[0]x',
  ]);
});

it('writes a card on file as four values', () => {
  const standing = { mode: 'INITIAL', source: 'CIT' } as const;
  expect(standingText(standing)).toBe('INITIAL,,CIT,');
});
