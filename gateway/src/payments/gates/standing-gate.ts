import { detectBrand } from '@tillbridge/protocol/payment/brands.js';
import { present } from '@tillbridge/protocol/present.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { AcquirerCard } from '../../acquirers/acquirer.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import type { Store } from '../../store/store.js';
import type { PaymentRequest } from '../decide/requests.js';
import { agreementBreach } from '../instruments/agreements.js';
import {
  brokenStandingRule,
  referenceOf,
  type StandingInstruction,
  standingDetail,
} from '../instruments/standing-instruction.js';
import type { Gate, GateVerdict } from './gate.js';

/** What the gate works with. */
export interface StandingGateParts {
  readonly store: Pick<Store, 'get'>;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Checks payments with a card on file by the rules of the networks, and a repeated one by the agreement that it names. A first one goes on
 * with what its approval makes an agreement of. Nothing waits here.
 */
export function standingGate(parts: StandingGateParts): Gate {
  const pass: Gate['pass'] = async ({ request, instrument }) => {
    const { standing } = request;
    if (!standing || instrument.kind !== 'card') return { verdict: 'pass' };
    return verdictOn(parts, request, instrument, standing);
  };
  return { name: 'standing-instruction', pass, again: pass };
}

async function verdictOn(
  { store, fingerprint, clock }: StandingGateParts,
  request: PaymentRequest,
  { pan, numberType }: AcquirerCard,
  standing: StandingInstruction,
): Promise<GateVerdict> {
  const { origin, referencedId } = request;
  const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const brand = detectBrand(pan)?.key ?? null;
  const broken = brokenStandingRule({ standing, brand, isLinked: referencedId !== undefined, today });
  if (broken) {
    const { resultCode, parameter, must, name: rule } = broken;
    const decisions = [{ rule, code: resultCode }];
    return { verdict: 'refuse', resultCode, detail: standingDetail(parameter, must), decisions };
  }
  const merchantId = (await store.get('entities', [origin.entityId]))?.parentId ?? origin.entityId;
  const card = { card: fingerprint('card', pan), numberType: numberType ?? null };
  const reference = standing.mode === 'INITIAL' ? undefined : referenceOf(standing, brand);
  const stored = reference === undefined ? undefined : await store.get('agreements', [merchantId, reference]);
  const breach = agreementBreach({ standing, today, ...card }, stored);
  if (breach) return { verdict: 'refuse', ...breach };
  if (standing.mode !== 'INITIAL') return { verdict: 'pass' };
  const { type = null, expiry = null, agreementId } = standing;
  const agreement = { merchantId, ...card, type, expiry, standing: present({ agreementId }) };
  return { verdict: 'pass', request: { ...request, agreement } };
}
