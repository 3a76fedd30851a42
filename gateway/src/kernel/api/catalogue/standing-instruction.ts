import { DATE, digits, oneOf, text } from './rows/format.js';
import { conditional, echoed, optional, under } from './rows/parameter.js';

/** Spec 2.7: standingInstruction.*, card on file. */
export const STANDING_INSTRUCTION_PARAMETERS = echoed(
  under('standingInstruction.', [
    conditional('type', oneOf('UNSCHEDULED', 'INSTALLMENT', 'RECURRING'), 'not-stated'),
    conditional('recurringType', oneOf('STANDING_ORDER', 'SUBSCRIPTION'), 'not-stated'),
    conditional('mode', oneOf('INITIAL', 'REPEATED'), 'not-stated'),
    conditional('source', oneOf('CIT', 'MIT'), 'not-stated'),
    conditional('initialTransactionId', text(1, 255), 'not-stated'),
    conditional(
      'industryPractice',
      oneOf('INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'),
      'not-stated',
    ),
    conditional('expiry', DATE, 'not-stated'),
    conditional('frequency', digits(1, 4), 'not-stated'),
    conditional('numberOfInstallments', digits(1, 3), 'installment-three-d-secure'),
    optional('agreementId', text(1, 35)),
  ]),
);
