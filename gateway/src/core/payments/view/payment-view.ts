import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { addPresent, present } from '@tillbridge/wire/present.js';
import type { Echo, EchoValue } from '../../../kernel/api/echo.js';
import { type AnswerFrame, timestampText } from '../../../kernel/http/request/answer-frame.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { AcquirerRedirect } from '../../acquirers/acquirer.js';
import { type BinTable, findBin } from '../rules/bin-table.js';
import { isReversal } from '../rules/follow-up-rows.js';
import { echoOf, paymentTypeOf } from '../rules/lifecycle-facts.js';
import { verificationResultsOf } from '../rules/verification-results.js';
import { descriptorOf } from './descriptor.js';
import { merchantAdvice } from './merchant-advice.js';

/** What an answer is made with in addition to the payment. */
interface ViewDeps {
  readonly bins: BinTable;
  readonly entityName: string;
}

/** The body of an answer. */
export type PaymentAnswer = AnswerFrame & { readonly [name: string]: unknown };

/** The body of every answer about a payment, and the payload of its event. */
export function paymentAnswer(payment: PaymentRow, frame: AnswerFrame, sources: ViewDeps): PaymentAnswer {
  const { buildNumber, timestamp, ndc } = frame;
  const { code, description } = frame.result;
  const { avsResponse, cvvResponse } = verificationResultsOf(payment);
  const view: Record<string, unknown> = paymentView(payment, sources);
  // What the issuer's checks found.
  const result = { code, description, ...present({ avsResponse, cvvResponse }) };
  // One by one: to assign an object costs ten times as much.
  view.result = result;
  view.buildNumber = buildNumber;
  view.timestamp = timestamp;
  view.ndc = ndc;
  return view as PaymentAnswer;
}

/** The amount is shown as it was taken, not as it was sent; where it was none, none is shown. */
const NOT_REPEATED: ReadonlySet<string> = new Set(['amount', 'currency', 'notificationUrl']);

/** What was sent, then what became of it, member by member: an object of many spreads costs twice as much. */
function paymentView(payment: PaymentRow, { bins, entityName }: ViewDeps): Echo {
  const { id, brand, currency } = payment;
  const echo = echoOf(payment);
  const results = verificationResultsOf(payment);
  const { riskScore, registrationId, redirect, payee, balanceMinor } = results;
  const view: Echo = {};
  for (const name in echo) {
    const value = echo[name];
    if (value !== undefined && !NOT_REPEATED.has(name)) view[name] = value;
  }
  view.id = id;
  view.paymentType = paymentTypeOf(payment);
  if (brand !== null) {
    view.paymentBrand = brand;
    view.brandResult = brand;
  }
  if (registrationId !== undefined) view.registrationId = registrationId;
  if (currency !== '') {
    view.amount = formatAmount({ minor: payment.amountMinor, currency });
    view.currency = currency;
  }
  if (isOnStatement(payment)) view.descriptor = descriptorOf(echo, id, entityName);
  fill(view, 'resultDetails', resultDetails(payment));
  fill(view, 'card', cardView(payment, objectOf(echo.card), bins));
  fill(view, 'pos', { ...objectOf(echo.pos), ...posView(payment) });
  const { initialTransactionId, agreementId } = results;
  const standing: Echo = { ...objectOf(echo.standingInstruction) };
  addPresent(standing, { initialTransactionId, agreementId });
  fill(view, 'standingInstruction', standing);
  if (balanceMinor !== undefined) {
    const balance = formatAmount({ minor: balanceMinor, currency });
    view.giftCard = { ...objectOf(echo.giftCard), balance, currency };
  }
  if (payee) view.merchant = { ...objectOf(echo.merchant), bankAccount: { ...payee } };
  if (redirect) view.redirect = redirectView(redirect);
  if (riskScore !== undefined) view.risk = { score: String(riskScore) };
  return view;
}

/** Shows a group that has members. */
function fill(view: Echo, name: string, group: Echo): void {
  for (const _ in group) {
    view[name] = group;
    return;
  }
}

/** Where the shopper is sent, and which calls may come before (docs/three-d-secure.md). */
export function redirectView({
  url,
  method,
  parameters,
  preconditions = [],
}: Omit<AcquirerRedirect, 'method'> & { readonly method: string }): Echo {
  const shown = (all: AcquirerRedirect['parameters']) => all.map(({ name, value }) => ({ name, value }));
  return {
    url,
    method,
    parameters: shown(parameters),
    preconditions: preconditions.map((call) => ({ ...call, parameters: shown(call.parameters) })),
  };
}

/** Does the shopper's statement show it? */
function isOnStatement({ state, type }: PaymentRow): boolean {
  return state !== 'declined' && !isReversal(type);
}

function resultDetails(payment: PaymentRow): Echo {
  const { approvalCode, responseCode, acquirerReference, captureReference, acquirer } = payment;
  const { acquirerDetails, extendedDescription, initialTransactionId } = verificationResultsOf(payment);
  const details = {
    ...acquirerDetails,
    AuthCode: approvalCode,
    AcquirerResponse: responseCode,
    ExtendedDescription: extendedDescription,
    CardholderInitiatedTransactionID: initialTransactionId,
    MerchantAdviceCode: responseCode === null ? undefined : merchantAdvice(responseCode),
    ConnectorTxID1: acquirerReference,
    clearingInstituteName: acquirerReference === null ? undefined : acquirer,
    ConnectorTxID2: acquirerReference === null ? undefined : captureReference,
  };
  return present(details);
}

/** What was sent of the card, and what its number tells. */
function cardView(payment: PaymentRow, sent: Echo, bins: BinTable): Echo {
  const { bin, last4Digits, holder, expiryMonth, expiryYear, numberType } = payment;
  const view: Echo = { ...sent };
  addPresent(view, { bin, last4Digits, holder, expiryMonth, expiryYear, numberType });
  const known = bin === null ? undefined : findBin(bins, bin);
  if (known) addPresent(view, { ...known, issuer: { ...known.issuer } });
  return view;
}

/** Spec 2.3: what a terminal gets back; letters and digits alone. */
function posView(payment: PaymentRow): Echo {
  const { terminalId, iccDataResponse, responseCode, approvalCode, acquirerReference } = payment;
  if (terminalId === null) return {};
  const clearing = present({
    authorizationIssuerCode: responseCode,
    authorizationAcquirerCode: approvalCode,
    identifier: acquirerReference,
  });
  return {
    ...filled({ clearing }),
    merchantId: payment.entityId,
    ...present({ iccDataResponse }),
    ...(payment.state !== 'pending' && {
      statusText: payment.state === 'declined' ? 'DECLINED' : 'APPROVED',
    }),
    timestamp: timestampText(payment.createdAtMs).slice(0, 19),
  };
}

/** The groups that have members. */
function filled(groups: Readonly<Record<string, Echo>>): Echo {
  return Object.fromEntries(Object.entries(groups).filter(([, group]) => Object.keys(group).length > 0));
}

function objectOf(value: EchoValue | undefined): Echo {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}
