import { CRYPTO_RULES } from '../../errors/error-table.js';

/** The rule that an input broke. */
export type CryptoRule = keyof typeof CRYPTO_RULES;

/**
 * A cryptographic input was refused. `rule` is the reason for programs; the message is for people and names lengths
 * and fields only, never key, PIN, PAN or plaintext bytes.
 */
export class CryptoError extends Error {
  override readonly name = 'CryptoError';
  readonly rule: CryptoRule;

  constructor(rule: CryptoRule, detail?: string) {
    const text = `${rule}: ${CRYPTO_RULES[rule][0]}`;
    super(detail === undefined ? text : `${text} (${detail})`);
    this.rule = rule;
  }
}
