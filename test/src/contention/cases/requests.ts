import { randomHex } from '../../tenants/id-kinds.js';
import type { RestRequest } from '../../tenants/rest-client.js';
import { PURCHASE } from '../../tenants/stranger.js';
import type { ContentionCase, Stage } from './contention-case.js';

type Form = Readonly<Record<string, string>>;

/** The request of each place, made of what was prepared before. */
export const after =
  <T>(
    prepare: (stage: Stage) => Promise<T>,
    request: (stage: Stage, prepared: T, at: number) => RestRequest,
  ): ContentionCase['requests'] =>
  async (stage) => {
    const prepared = await prepare(stage);
    return (at) => request(stage, prepared, at);
  };

/** An approved sale of the merchant. @returns its id */
export const sale = ({ own }: Stage): Promise<string> => own.pay();

/** An authorization that is not captured. @returns its id */
export const hold = ({ own }: Stage): Promise<string> => own.pay({ paymentType: 'PA' });

/** A POST for the channel of the merchant, with its token. */
export function post({ own }: Pick<Stage, 'own'>, path: string, form: Form = {}): RestRequest {
  return { method: 'POST', path, form: { entityId: own.channel, ...form }, token: own.token };
}

/** A DELETE for the channel of the merchant, with its token. */
export function remove({ own }: Pick<Stage, 'own'>, path: string): RestRequest {
  return { method: 'DELETE', path, form: { entityId: own.channel }, token: own.token };
}

/** What a shopper's browser posts: without a token. */
export function browse(path: string, form: Form): RestRequest {
  return { method: 'POST', path, form };
}

/** The request under a key. */
export function under(key: string, request: RestRequest): RestRequest {
  return { ...request, headers: { 'idempotency-key': key } };
}

/** A key that was never used. */
export const newKey = (): string => `key-${randomHex(16)}`;

/** Another amount for each place: 1.00, 1.01, and so on. */
export const amountAt = (at: number): string => `1.${at.toString().padStart(2, '0')}`;

/** Card numbers that the simulated issuers approve, with a right check digit: another one for each place below 1000. */
export function cardAt(at: number): string {
  const body = `4111110000${at.toString().padStart(5, '0')}`;
  return body + checkDigitOf(body);
}

/** Luhn (ISO/IEC 7812-1). */
function checkDigitOf(body: string): number {
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Begins an agreement that the shopper agrees to. */
export const INITIAL = {
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
} as const;

/** Repeats one without the shopper. */
export const REPEATED = {
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
} as const;

/** A purchase with a MasterCard, whose agreements have ids. */
export const MASTERCARD = {
  ...PURCHASE,
  'card.number': '5454545454545454',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
} as const;
