import { CHECKOUT_SETTINGS } from '../../features/checkouts/configuration.js';
import { REQUEST_LOG_SETTINGS } from '../../features/request-log/configuration.js';
import { RISK_SETTINGS } from '../../features/risk/configuration.js';
import { SCHEDULE_SETTINGS } from '../../features/schedules/configuration.js';
import { SETTLEMENT_SETTINGS } from '../../features/settlement/configuration.js';

/** Settings of all features. */
export const FEATURE_SETTINGS = {
  ...RISK_SETTINGS,
  ...SETTLEMENT_SETTINGS,
  ...CHECKOUT_SETTINGS,
  ...SCHEDULE_SETTINGS,
  ...REQUEST_LOG_SETTINGS,
};
