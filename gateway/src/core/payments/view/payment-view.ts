import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { Echo, EchoValue } from '../../../kernel/api/echo.js';
import { type AnswerFrame, timestampText } from '../../../kernel/http/request/answer-frame.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { AcquirerRedirect } from '../../acquirers/acquirer.js';
import { type BinTable, findBin } from '../rules/bin-table.js';
import { isReversal } from '../rules/follow-up-rows.js';
import { echoOf, paymentTypeOf } from '../rules/lifecycle-facts.js';
import { type VerificationResults, verificationResultsOf } from '../rules/verification-results.js';
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
  const { result, ...rest } = frame;
  return {
    ...paymentView(payment, sources),
    result: { ...result, ...verificationResults(payment) },
    ...rest,
  };
}

function paymentView(payment: PaymentRow, { bins, entityName }: ViewDeps): Echo {
  const { id, brand, currency } = payment;
  // The amount is shown as it was taken, not as it was sent; where it was none, none is shown.
  const { amount: _, currency: __, notificationUrl: ___, ...echo } = echoOf(payment);
  const { riskScore, registrationId, redirect, payee, balanceMinor, ...references } =
    verificationResultsOf(payment);
  const { initialTransactionId, agreementId } = references;
  const agreement = present({ initialTransactionId, agreementId });
  const standingInstruction = { ...objectOf(echo.standingInstruction), ...agreement };
  const card = { ...objectOf(echo.card), ...cardView(payment, bins) };
  const pos = { ...objectOf(echo.pos), ...posView(payment) };
  return {
    ...echo,
    id,
    paymentType: paymentTypeOf(payment),
    ...present({ paymentBrand: brand, brandResult: brand, registrationId }),
    ...(currency !== '' && { amount: formatAmount({ minor: payment.amountMinor, currency }), currency }),
    ...(isOnStatement(payment) && { descriptor: descriptorOf(echo, id, entityName) }),
    ...filled({ resultDetails: resultDetails(payment), card, pos, standingInstruction }),
    ...(balanceMinor !== undefined && {
      giftCard: {
        ...objectOf(echo.giftCard),
        balance: formatAmount({ minor: balanceMinor, currency }),
        currency,
      },
    }),
    ...(payee && { merchant: { ...objectOf(echo.merchant), bankAccount: { ...payee } } }),
    ...(redirect && { redirect: redirectView(redirect) }),
    ...(riskScore !== undefined && { risk: { score: String(riskScore) } }),
  };
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

/** The part of `result` that the issuer's checks fill. */
function verificationResults(payment: PaymentRow): Pick<VerificationResults, 'avsResponse' | 'cvvResponse'> {
  const { avsResponse, cvvResponse } = verificationResultsOf(payment);
  return present({ avsResponse, cvvResponse });
}

function resultDetails(payment: PaymentRow): Echo {
  const { approvalCode, responseCode, acquirerReference, captureReference, acquirer } = payment;
  return present({
    ...verificationResultsOf(payment).acquirerDetails,
    AuthCode: approvalCode,
    AcquirerResponse: responseCode,
    ExtendedDescription: verificationResultsOf(payment).extendedDescription,
    CardholderInitiatedTransactionID: verificationResultsOf(payment).initialTransactionId,
    MerchantAdviceCode: responseCode === null ? undefined : merchantAdvice(responseCode),
    ...(acquirerReference !== null && {
      ConnectorTxID1: acquirerReference,
      clearingInstituteName: acquirer,
      ConnectorTxID2: captureReference,
    }),
  });
}

function cardView(payment: PaymentRow, bins: BinTable): Echo {
  const { bin, last4Digits, holder, expiryMonth, expiryYear, numberType } = payment;
  const known = bin === null ? undefined : findBin(bins, bin);
  return {
    ...present({ bin, last4Digits, holder, expiryMonth, expiryYear, numberType }),
    ...(known && { ...known, issuer: { ...known.issuer } }),
  };
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
