import { digits, oneOf, text } from '../rows/format.js';
import { echoed, optional, under } from '../rows/parameter.js';

/** Spec 2.4: corporate.*. */
export const CORPORATE_PARAMETERS = echoed(
  under('corporate.', [
    optional('name', text(1, 30)),
    optional('description', text(1, 160)),
    optional('street', text(1, 100)),
    optional('address', text(1, 100)),
    optional('city', text(1, 80)),
    optional('state', text(1, 50)),
    optional('postCode', text(1, 16)),
    optional('suite', text(1, 30)),
    optional('postboxNumber', text(1, 15)),
    optional('purchase', oneOf('Y', 'N')),
    optional('phone', digits(1, 25)),
    optional('fax', digits(1, 25)),
    optional('vatId', text(0, 255)),
  ]),
);
