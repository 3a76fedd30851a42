import { present } from '@tillbridge/wire/present.js';
import type { StandingInstruction } from '../../core/acquirers/standing-instruction.js';
import type { HeldAgreement } from '../../core/payments/registrations/held-agreement.js';
import type { PaymentRequest } from '../../core/payments/rules/requests.js';
import type { Echo, EchoValue } from '../../kernel/api/echo.js';
import type { ScheduleRow, ScheduleRunRow } from '../../kernel/store/rows.js';

/** What each run of a schedule pays; nothing of it is sensitive. */
export interface ScheduledPayment
  extends Pick<
    PaymentRequest,
    'type' | 'amount' | 'brand' | 'reference' | 'testMode' | 'standing' | 'billing' | 'verdict' | 'echo'
  > {
  /** As the merchant sent it, such as SD. */
  readonly sentType: string;
}

/** Where a run comes from, as its answers and notifications say (docs/schedules.md). */
const SOURCES = { first: 'SCHEDULER', again: 'MACRETRY' } as const;

/** What the stored schedule pays. */
export function paymentOf({ payment }: Pick<ScheduleRow, 'payment'>): ScheduledPayment {
  return JSON.parse(payment) as ScheduledPayment;
}

/**
 * The payment of a run: of the merchant, with the stored card. It repeats what the cardholder began with (docs/card-on-file.md). Pure.
 * @param run the row that is committed with it
 */
export function requestOfRun(schedule: ScheduleRow, run: ScheduleRunRow): PaymentRequest {
  const { id, entityId, vaultId, referencedId } = schedule;
  const { sentType: _, ...payment } = paymentOf(schedule);
  return {
    ...payment,
    origin: { kind: 'rest', entityId, paymentId: run.paymentId, run },
    storedCard: vaultId,
    risk: {},
    ...(referencedId !== null && { referencedId }),
    echo: {
      ...payment.echo,
      source: run.attempt === 0 ? SOURCES.first : SOURCES.again,
      scheduleId: id,
    },
  };
}

/** The standing instruction of every run: the merchant repeats what the cardholder began with. Pure. */
export function standingOfRuns(
  sent: StandingInstruction | undefined,
  { type = 'RECURRING', initialTransactionId, agreementId }: HeldAgreement = {},
): StandingInstruction {
  return {
    type,
    ...present({ initialTransactionId, agreementId }),
    ...sent,
    mode: 'REPEATED',
    source: 'MIT',
  };
}

/** What answers show of it. */
export function withStanding(echo: Echo | undefined, standing: StandingInstruction): Echo {
  const shown: Readonly<Record<string, EchoValue>> = { ...standing };
  return { ...echo, standingInstruction: { ...shown } };
}
