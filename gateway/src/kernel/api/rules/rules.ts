import { houseNumberRule, streetRule } from './address.js';
import { airlineSumRule } from './airline-sums.js';
import { asynchronousRule } from './asynchronous.js';
import { bankAccountRule } from './bank-account.js';
import { cartSumRule } from './cart-sums.js';
import { customerNameRule, identityDocumentRule } from './customer.js';
import { giftCardRule } from './gift-card.js';
import { includedAmountRule } from './included-amounts.js';
import { brandRule, groupRule, instrumentRule } from './instrument.js';
import { marketplaceRule } from './marketplace.js';
import { migrationRule } from './migration.js';
import { operationRule, paymentTypeRule, receiverRule } from './operation.js';
import { timeFrameRule } from './query.js';
import type { Rule } from './rule.js';
import {
  appBasedRule,
  exemptionRule,
  frenchSchemeRule,
  installmentRule,
  versionTwoRule,
} from './three-d-secure.js';
import { purposeRule } from './transfer.js';
import { shopperRule } from './widget.js';

/** Every rule between parameters, in the order of their errors. */
export const RULES: readonly Rule[] = [
  operationRule,
  paymentTypeRule,
  receiverRule,
  brandRule,
  groupRule,
  instrumentRule,
  bankAccountRule,
  giftCardRule,
  customerNameRule,
  identityDocumentRule,
  houseNumberRule,
  streetRule,
  asynchronousRule,
  purposeRule,
  migrationRule,
  marketplaceRule,
  includedAmountRule,
  cartSumRule,
  airlineSumRule,
  versionTwoRule,
  appBasedRule,
  installmentRule,
  frenchSchemeRule,
  exemptionRule,
  shopperRule,
  timeFrameRule,
];
