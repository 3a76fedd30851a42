import type {
  CheckoutRow,
  LinkExchangeRow,
  ParkedRow,
  PaymentLinkRow,
  RegistrationRow,
  UserInvitationRow,
  UserRow,
  VaultRow,
  WaitRow,
  WalletKeyRow,
} from '../../kernel/store/rows.js';

/*
 * What each sealed row is bound to in addition to its data key: it opens in no other place.
 */

/** Of card data. */
export function vaultContext({ entityId, id }: Pick<VaultRow, 'entityId' | 'id'>): readonly string[] {
  return ['vault', entityId, id];
}

/** Of a parked message. */
export function messageContext({
  agentId,
  messageId,
}: Pick<ParkedRow, 'agentId' | 'messageId'>): readonly string[] {
  return ['parked message', agentId, messageId];
}

/** Of what a payment that waits needs later. */
export function waitContext({ paymentId }: Pick<WaitRow, 'paymentId'>): readonly string[] {
  return ['waiting payment', paymentId];
}

/** Of the advice of a stand-in. */
export function adviceContext({ reference }: Pick<LinkExchangeRow, 'reference'>): readonly string[] {
  return ['stand-in advice', reference];
}

/** Of a private key of a wallet. */
export function walletKeyContext({
  entityId,
  wallet,
  id,
}: Pick<WalletKeyRow, 'entityId' | 'wallet' | 'id'>): readonly string[] {
  return ['wallet key', entityId, wallet, id];
}

/** Of the parameters of a checkout. */
export function checkoutContext({ id }: Pick<CheckoutRow, 'id'>): readonly string[] {
  return ['checkout', id];
}

/** Of the parameters of a payment link. */
export function paymentLinkContext({ id }: Pick<PaymentLinkRow, 'id'>): readonly string[] {
  return ['payment-link', id];
}

/** Of stored payment details: the entities of their merchant may use them, no others. */
export function registrationContext({
  id,
  merchantId,
}: Pick<RegistrationRow, 'id' | 'merchantId'>): readonly string[] {
  return ['registration', merchantId, id];
}

/** Of the secret of a user's one-time codes. */
export function userContext({ id }: Pick<UserRow, 'id'>): readonly string[] {
  return ['user', id];
}

/** The same while the user is only invited. */
export function invitationContext({ userId }: Pick<UserInvitationRow, 'userId'>): readonly string[] {
  return ['user invitation', userId];
}
