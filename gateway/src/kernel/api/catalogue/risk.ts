import { MAP_KEY, PRICE, TIMESTAMP, text } from './rows/format.js';
import { optional, under } from './rows/parameter.js';

/** Spec 2.9: risk.*. */
export const RISK_PARAMETERS = under('risk.', [
  optional('channelId', text(1, 255)),
  optional('serviceId', text(1, 255)),
  optional('amount', PRICE),
  optional('orderTimestamp', TIMESTAMP),
  optional('brand', text(1, 255)),
  optional('parameters[key]', text(0, 2048), { key: MAP_KEY }),
  optional('merchantWebsite', text(1, 60)),
  optional('accountToken', text(1, 64), { sensitive: true }),
]);
