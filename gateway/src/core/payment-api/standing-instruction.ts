import { present } from '@tillbridge/wire/present.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { StandingInstruction } from '../acquirers/standing-instruction.js';

/** The standing instruction of valid parameters; undefined when none was sent. */
export function standingOf(values: ParameterValues): StandingInstruction | undefined {
  // The catalogue has checked the words.
  const standing = present({
    type: values.get('standingInstruction.type'),
    recurringType: values.get('standingInstruction.recurringType'),
    mode: values.get('standingInstruction.mode'),
    source: values.get('standingInstruction.source'),
    industryPractice: values.get('standingInstruction.industryPractice'),
    initialTransactionId: values.get('standingInstruction.initialTransactionId'),
    agreementId: values.get('standingInstruction.agreementId'),
    expiry: values.get('standingInstruction.expiry'),
    numberOfInstallments: values.get('standingInstruction.numberOfInstallments'),
  }) as StandingInstruction;
  return Object.keys(standing).length > 0 ? standing : undefined;
}
