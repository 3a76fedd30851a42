import { formatAmount, type Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { parsedColumn } from '../../kernel/store/parsed-column.js';
import type { Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import { countAttempt } from './attempts.js';
import {
  assessRules,
  type RiskAssessment,
  type RiskFacts,
  type ScreeningResult,
  type WhenSilent,
} from './rules/assess.js';
import { NO_RISK_RULES, type RiskRules } from './rules/risk-rules.js';
import { SCREENING_OVERRIDES, type Screening } from './screening.js';

/** What payments are checked with. */
export interface RiskCheckDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Country of a card by its first six digits. */
  readonly countryOf: (bin: string) => string | undefined;
  /** Country of an IP address. */
  readonly countryOfIp: (address: string) => string | undefined;
  readonly screening?: { readonly service: Screening; readonly whenSilent: WhenSilent };
}

/** A payment to check. Memory only. */
interface RiskSubject {
  readonly paymentId: string;
  readonly entityId: string;
  readonly amount: Money;
  readonly pan?: string;
  readonly email?: string;
  readonly ip?: string;
  readonly billingCountry?: string;
  readonly shippingCountry?: string;
  /** `risk.*` (docs/risk.md) without its prefix. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The verdict, and the rules that it was made by. */
export interface CheckedRisk extends RiskAssessment {
  /** Undefined where the entity has none of its own. */
  readonly rules: RiskRules | undefined;
  /** Which field was refused and why. */
  readonly detail?: string;
}

/** Override of the screening's configuration that it does not take. */
const WRONG_OVERRIDE = '100.400.312';

/** Counts, screens and weighs a payment before its authorization. @throws StoreUnavailableError */
export async function checkRisk(deps: RiskCheckDeps, subject: RiskSubject): Promise<CheckedRisk> {
  const { store, screening } = deps;
  const { entityId } = subject;
  const merchantId = (await store.get('entities', [entityId]))?.parentId ?? entityId;
  const rules = await riskRulesOf(store, entityId, merchantId);
  // No rule applies to the payment.
  if (!rules && !screening) return { score: 0, findings: [], verdict: 'pass', rules };
  const facts = await factsOf(deps, subject, merchantId, rules ?? NO_RISK_RULES);
  const wrong = screening && wrongOverride(subject.parameters);
  if (wrong) {
    const detail = `risk.${wrong}: must have at most ${SCREENING_OVERRIDES[wrong]} characters for the screening`;
    return { score: 0, findings: [], verdict: 'refuse', resultCode: WRONG_OVERRIDE, rules, detail };
  }
  const screened = screening && (await screen(screening.service, subject, facts));
  const whenSilent = screening?.whenSilent ?? 'pass';
  return { ...assessRules(rules ?? NO_RISK_RULES, facts, screened, whenSilent), rules };
}

const storedRules = parsedColumn<'rules', RiskRules>('rules');

/** The rules of a channel, else of its merchant. @throws StoreUnavailableError */
async function riskRulesOf(
  store: Pick<Store, 'get'>,
  entityId: string,
  merchantId: string,
): Promise<RiskRules | undefined> {
  const own = (await store.get('riskRules', [entityId])) ?? (await store.get('riskRules', [merchantId]));
  return own && storedRules(own);
}

async function factsOf(
  deps: RiskCheckDeps,
  { paymentId, amount, pan, email, ip, billingCountry, shippingCountry }: RiskSubject,
  merchantId: string,
  { rules }: RiskRules,
): Promise<RiskFacts> {
  const card = pan === undefined ? undefined : deps.fingerprint('card', pan);
  const bin = pan === undefined || pan.length < 12 ? undefined : pan.slice(0, 6);
  const nowMs = deps.clock.nowMs();
  const attempt = { merchantId, paymentId, values: present({ card, email, ip }), nowMs };
  const attempts = await countAttempt(deps, rules, attempt);
  const cardCountry = bin === undefined ? undefined : deps.countryOf(bin);
  const countries = present({
    billing: billingCountry,
    shipping: shippingCountry,
    card: cardCountry,
    ip: ip === undefined ? undefined : deps.countryOfIp(ip),
  });
  return { amount, ...present({ card, bin, email, ip }), countries, attempts };
}

function screen(
  service: Screening,
  { paymentId, entityId, amount, pan, parameters }: RiskSubject,
  { bin, email, ip, countries }: RiskFacts,
): Promise<ScreeningResult> {
  const { currency } = amount;
  return service.screen({
    paymentId,
    entityId,
    amount: formatAmount(amount),
    currency,
    ...present({ bin, last4Digits: bin === undefined ? undefined : pan?.slice(-4) }),
    customer: present({ email, ip }),
    countries,
    risk: parameters,
  });
}

function wrongOverride(parameters: RiskSubject['parameters']): keyof typeof SCREENING_OVERRIDES | undefined {
  const names = Object.keys(SCREENING_OVERRIDES) as (keyof typeof SCREENING_OVERRIDES)[];
  return names.find((name) => (parameters[name]?.length ?? 0) > SCREENING_OVERRIDES[name]);
}
