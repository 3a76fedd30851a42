import { isPublishedTestCard } from '@tillbridge/wire/payment/published-test-cards.js';
import { present } from '@tillbridge/wire/present.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import { contentErrors } from '../../kernel/api/content.js';
import { echoOf } from '../../kernel/api/echo.js';
import type { Validated } from '../../kernel/api/validate.js';
import type { ContentRefusal } from '../../kernel/http/request/content.js';
import { customerIdOf, shownOf, testModeOf } from '../payments/cards/register.js';
import type { NewRegistration } from '../payments/cards/registered.js';
import type { HeldAgreement } from '../payments/registrations/held-agreement.js';
import { detailsOf } from '../payments/registrations/registration.js';
import { checkCard, refusedCard } from '../payments/rules/check-card.js';
import type { AgreementInUseError, Migration } from '../registrations/registrations.js';
import { accountInstrumentOf } from './account-instrument.js';
import { cardOf } from './card-present.js';
import { directDebitOf } from './mandate.js';
import type { PaymentRouteDeps } from './payment-deps.js';
import { testVerdict } from './requests.js';
import { standingOf } from './standing-instruction.js';

/** Code of a means of payment that cannot be stored. */
const UNSUPPORTED = '600.200.200';
/** A published test card in live mode. */
const TEST_CARD_LIVE = '700.500.003';

/** What valid parameters store, or why what they mean is refused. */
export function registrationRequest(
  deps: PaymentRouteDeps,
  validated: Validated,
  entityId: string,
): Omit<NewRegistration, 'id' | 'paymentId'> | ContentRefusal {
  const { values } = validated;
  const nowMs = deps.clock.nowMs();
  const [error] = contentErrors(validated, nowMs);
  if (error) return error;
  const verdict = testVerdict(deps, values);
  if (verdict?.kind === 'refused') return verdict.resultCode;
  const { customer, billing, customParameters } = echoOf(validated);
  const about = {
    entityId,
    echo: shownOf({ customer, billing, customParameters, ...testModeOf(values.get('testMode')) }),
    customerId: customerIdOf(customer),
    ...present({ agreement: agreementOf(values) }),
  };
  const typed = cardOf(values);
  if (typed) {
    const card = checkCard({ pan: typed.number, brand: values.get('paymentBrand'), typed }, nowMs);
    if (!card.ok) return refusedCard(card);
    if (deps.mode === 'live' && isPublishedTestCard(typed.number)) return TEST_CARD_LIVE;
    const { number: pan, expiryYear, expiryMonth, numberType } = typed;
    const instrument = {
      kind: 'card' as const,
      pan,
      expiryYear,
      expiryMonth,
      ...(numberType && { numberType }),
    };
    const details = detailsOf(instrument, typed.holder);
    return details ? { ...about, details, brand: card.brand } : UNSUPPORTED;
  }
  const account = accountInstrumentOf(values, () => directDebitOf(values, deps.random, nowMs));
  const details = account && detailsOf(account, undefined);
  return details && account ? { ...about, details, brand: account.brand } : UNSUPPORTED;
}

/** The agreement that the cardholder begins by registering (mode INITIAL, docs/card-on-file.md); undefined without one. */
function agreementOf(values: ParameterValues): HeldAgreement | undefined {
  const { mode, source, type, expiry, agreementId } = standingOf(values) ?? {};
  return mode === 'INITIAL' && source !== 'MIT' ? present({ type, expiry, agreementId }) : undefined;
}

/** Parameters that name the first payment of a migrated agreement. */
const MIGRATED: readonly string[] = [1, 2, 3].map((number) => `recurringMigration.connectorTxId${number}`);

/** Why a migration is refused whose agreement belongs to another card. */
export function migrationRefusal(
  { values }: Pick<Validated, 'values'>,
  { reference }: Pick<AgreementInUseError, 'reference'>,
): ContentRefusal {
  const name = MIGRATED.find((each) => values.get(each) === reference) ?? 'recurringMigration.connectorTxId1';
  return { code: '100.150.300', name };
}

/** The first payment, made elsewhere, whose agreement goes on here; undefined when none was named. */
export function migrationOf({ values }: Pick<Validated, 'values'>): Migration | undefined {
  if (!values.has('recurringMigration.paymentType')) return undefined;
  const ids = MIGRATED.map((name) => values.get(name));
  const type = values.get('standingInstruction.type') as Migration['type'] | undefined;
  return { references: ids.filter((id) => id !== undefined), type: type ?? null };
}
