import { decimalOrWhole, oneOf, TIMESTAMP, text } from './rows/format.js';
import { conditional, optional, required, under } from './rows/parameter.js';

/** Spec 2.7: recurringMigration.* (deprecated): the INITIAL transaction of a recurring payment that moves here. */
export const MIGRATION_PARAMETERS = under('recurringMigration.', [
  required('paymentType', oneOf('DB', 'CD', 'PA')),
  optional('amount', decimalOrWhole(8)),
  conditional('requestTimestamp', TIMESTAMP, 'recurring-migration'),
  conditional('connectorTxId1', text(1, 128), 'recurring-migration'),
  conditional('connectorTxId2', text(1, 128), 'recurring-migration'),
  conditional('connectorTxId3', text(1, 128), 'recurring-migration'),
]);
