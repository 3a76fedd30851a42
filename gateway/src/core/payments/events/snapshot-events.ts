import { type ResultGroup, resultGroup } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { EntityEvents, EventsOfEntity } from '../../../kernel/events/entity-events.js';
import type { EventKind } from '../../../kernel/events/event-kinds.js';
import { newTimeOrderedId } from '../../../kernel/store/new-id.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { BinTable } from '../rules/bin-table.js';
import { verificationResultsOf } from '../rules/verification-results.js';
import type { PaymentEvents } from '../steps/payment-context.js';
import { framedPayload, paymentPayload } from './event-payload.js';
import { mandateMail } from './mandate-mail.js';
import { notificationCall } from './notification-call.js';

/** What events are made with. */
interface SnapshotEventsDeps {
  readonly events: EntityEvents;
  readonly random: Random;
  readonly bins: BinTable;
  readonly buildNumber: string;
  /** Payers of direct debits are notified by e-mail. */
  readonly sendsMail?: boolean;
}

/** Events of payments: they show the payment as it was in that commit, so that a later or repeated delivery is the same. */
export class SnapshotEvents implements PaymentEvents {
  readonly #deps: SnapshotEventsDeps;

  constructor(deps: SnapshotEventsDeps) {
    this.#deps = deps;
  }

  async of(entityId: string): Promise<(payment: PaymentRow, nowMs: number) => readonly Change[]> {
    const ofEntity = await this.#deps.events.of(entityId);
    const name = ofEntity.entity?.name ?? '';
    return (payment, nowMs) => [
      ...this.#changes(payment, nowMs, ofEntity),
      ...(payment.state === 'pending' ? [] : notificationCall(payment, nowMs)),
      ...(this.#deps.sendsMail && payment.state !== 'pending' ? mandateMail(payment, name, nowMs) : []),
    ];
  }

  #changes(payment: PaymentRow, nowMs: number, { entity, changes }: EventsOfEntity): readonly Change[] {
    const { bins, buildNumber, random } = this.#deps;
    const { id: paymentId, state } = payment;
    const newId = () => newTimeOrderedId(random, nowMs);
    const ndc = newId();
    const sources = { bins, buildNumber, entityName: entity?.name ?? '', ndc, nowMs };
    const risk = riskKindOf(payment);
    if (state === 'pending') {
      // Its row comes later, and will have the outcome.
      const payload = paymentPayload(payment, sources);
      return risk ? changes({ id: newId(), kind: risk, paymentId, payload, nowMs }) : [];
    }
    const event = (kind: EventKind, id = newId()): readonly Change[] =>
      changes({ id, kind, paymentId, payload: framedPayload(payment, id, sources), nowMs });
    const { registrationId, registrationIsNew } = verificationResultsOf(payment);
    return [
      ...event(kindOf(payment), ndc),
      ...(risk ? event(risk) : []),
      ...(registrationId !== undefined && registrationIsNew ? event('registration-created') : []),
    ];
  }
}

/** Groups of result codes that a risk check gives (docs/result-codes.md). */
const RISK_GROUPS: readonly (ResultGroup | undefined)[] = [
  'success-review',
  'rejected-external-risk',
  'rejected-block-list',
  'rejected-risk-validation',
  'rejected-risk-management',
];

/**
 * The event of a payment's risk check: it refused the payment before its authorization, or the outcome afterwards; undefined where no
 * check had anything against it.
 */
function riskKindOf({ state, resultCode, acquirerReference }: PaymentRow): EventKind | undefined {
  if (state === 'pending') return 'risk-checked';
  if (!RISK_GROUPS.includes(resultGroup(resultCode))) return undefined;
  return acquirerReference === null ? 'risk-checked' : 'risk-decided';
}

function kindOf({ offline, state }: PaymentRow): EventKind {
  return offline !== null && state === 'declined' ? 'offline-sale-declined' : 'payment';
}
