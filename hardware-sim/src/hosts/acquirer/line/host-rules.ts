import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { IssuerRules, ScriptName } from '../issuer/issuer.js';

/** What the host answers otherwise than its issuer would: a rule for the messages that fit. */
export interface ResponseRule {
  /** What a message must have; without it every message fits. */
  readonly last4Digits?: string;
  readonly terminalId?: string;
  readonly merchantId?: string;
  /** Amount in minor units. */
  readonly amountMinor?: number;
  /** What is answered in place of the issuer's own response code. */
  readonly responseCode?: string;
  /** The answer reports the balance of the account (field 54). */
  readonly reportsBalance?: boolean;
  /** A command to the card. */
  readonly script?: ScriptName;
}

/** Most rules at once. */
export const MAX_RESPONSE_RULES = 100;

/** The rule for a message: the first one that fits decides. */
export function ruledBy(
  rules: readonly ResponseRule[],
  message: ExchangeMessage,
): IssuerRules & Required<Pick<ResponseRule, 'reportsBalance'>> {
  const { responseCode, script, reportsBalance = false } = rules.find((rule) => fits(rule, message)) ?? {};
  return { responseCode, script, reportsBalance };
}

function fits(rule: ResponseRule, { pan, terminalId, merchantId, amount }: ExchangeMessage): boolean {
  const { last4Digits, amountMinor } = rule;
  return (
    (last4Digits === undefined || pan?.slice(-4) === last4Digits) &&
    (rule.terminalId === undefined || rule.terminalId === terminalId) &&
    (rule.merchantId === undefined || rule.merchantId === merchantId) &&
    (amountMinor === undefined || amountMinor === amount?.minor)
  );
}
