import { PRICE, text } from '../rows/format.js';
import { echoed, optional, under } from '../rows/parameter.js';

/** Spec 2.6: marketPlace.sellers[n].*; a seller's items are the cart items with its id. */
export const MARKETPLACE_PARAMETERS = echoed(
  under('marketPlace.sellers[n].', [optional('id', text(1, 255)), optional('amount', PRICE)]),
);
