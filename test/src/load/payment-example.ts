/** A card payment as the benches send it, without its entity. */
export const PAYMENT: Readonly<Record<string, string>> = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};
