import { countryNumber } from '@tillbridge/wire/payment/country-codes.js';
import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { MessageExtension } from '@tillbridge/wire/three-d-secure/messages/extension.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { type TestFlow, testFlowExtension } from '@tillbridge/wire/three-d-secure/test-flow.js';
import { readDeviceInfo } from '../../../core/payments/three-d-secure/device-info.js';
import type { Sent } from '../../../core/payments/three-d-secure/sent.js';
import type { Plan } from './plan.js';

/** The 3DS Server's data of itself and of a purchase; memory only, because it has the card. */
export interface AReqFacts {
  readonly card: {
    readonly pan: string;
    readonly expiryMonth: string;
    readonly expiryYear: string;
    readonly holder?: string;
  };
  /** What the cardholder authenticates. */
  readonly amount: Money;
  readonly sent: Sent;
  readonly entity: { readonly id: string; readonly name: string };
  /** Where results are sent, and where the browser comes back to. */
  readonly resultsUrl: string;
  readonly notificationUrl: string;
  readonly nowMs: number;
  /** The course that a test requests. */
  readonly testFlow?: TestFlow;
}

/** Reference number of this 3DS Server. */
export const SERVER_REFERENCE = 'TILLBRIDGE-3DS-SERVER';
/** The acquirer's number where none is configured, the merchant category "other", and the country of a merchant that names none. */
const DEFAULTS = { acquirerBin: '400000', mcc: '5999', country: '276' } as const;
/** Until when a decoupled authentication may take, in minutes. */
const DECOUPLED_MINUTES = '00010';
const COLOUR_DEPTHS: readonly string[] = ['1', '4', '8', '15', '16', '24', '32', '48'];

const AUTHENTICATION_INDS: Readonly<Record<string, string>> = {
  PAYMENT: '01',
  RECURRING: '02',
  INSTALLMENT: '03',
  ADD_CARD: '04',
  MAINTAIN_CARD: '05',
  EMV_ID: '06',
  BILLING_AGREEMENT: '07',
};
const THREE_RI_INDS: Readonly<Record<string, string>> = {
  RECURRING: '01',
  SPLIT_SHIPMENT: '06',
  DELAYED_SHIPMENT: '06',
};

/**
 * The AReq of a plan. Pure.
 * @param compInd how the method call ended; `U` where there was none
 */
export function areqOf(plan: Plan, facts: AReqFacts, compInd: 'Y' | 'N' | 'U'): Message<'AReq'> {
  const { card, sent } = facts;
  return {
    messageType: 'AReq',
    messageVersion: plan.version,
    messageCategory: plan.category,
    deviceChannel: plan.channel,
    ...requestorOf(plan, facts),
    acctNumber: card.pan,
    cardExpiryDate: `${card.expiryYear.slice(2)}${card.expiryMonth}`,
    ...cardholderOf(sent, card.holder),
    ...purchaseOf(plan, facts),
    ...(plan.channel === '02' && { ...browserOf(sent, plan), threeDSCompInd: compInd }),
    ...(plan.channel === '02' && { notificationURL: facts.notificationUrl }),
    ...(plan.channel === '01' && appOf(sent)),
    ...extensionsOf(facts),
  };
}

function requestorOf(plan: Plan, { sent, entity, resultsUrl }: AReqFacts): Message<'AReq'> {
  const scheme = sent.paymentBrand ?? '';
  const name = sent[`threeDSecure.v2.${scheme}.requestorName`] ?? nameOf(sent, entity.name);
  return {
    threeDSServerTransID: plan.transId,
    threeDSServerRefNumber: SERVER_REFERENCE,
    threeDSServerURL: resultsUrl,
    threeDSRequestorID: (sent[`threeDSecure.v2.${scheme}.requestorId`] ?? entity.id).slice(0, 35),
    threeDSRequestorName: name.slice(0, 40),
    threeDSRequestorURL: urlOf(sent),
    ...present({ threeDSRequestorChallengeInd: plan.challengeInd }),
    ...(plan.channel === '03'
      ? { threeRIInd: THREE_RI_INDS[sent['threeDSecure.threeRIInd'] ?? ''] ?? '05' }
      : { threeDSRequestorAuthenticationInd: authenticationIndOf(plan, sent) }),
    ...(plan.decoupled && {
      threeDSRequestorDecReqInd: 'Y',
      threeDSRequestorDecMaxTime: DECOUPLED_MINUTES,
    }),
  };
}

/** The kind of authentication; shipments and split payments have no code of their own before 2.3.1. */
function authenticationIndOf({ category, version }: Plan, sent: Sent): string {
  const type = sent['standingInstruction.type'] ?? '';
  const named = AUTHENTICATION_INDS[sent['threeDSecure.authenticationInd'] ?? ''];
  const code = named ?? (category === '02' ? '04' : (AUTHENTICATION_INDS[type] ?? '01'));
  return code === '07' && version === '2.1.0' ? '01' : code;
}

/** URL of the shop: from the request, else the place that the shopper comes back to. */
function urlOf(sent: Sent): string {
  const named = sent['threeDSecure.merchant.url'] ?? sent['merchant.url'] ?? sent.shopperResultUrl ?? '';
  const url = URL.canParse(named) ? new URL(named) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : 'https://merchant.invalid/';
}

function nameOf(sent: Sent, entityName: string): string {
  return sent['threeDSecure.merchant.name'] || sent['merchant.name'] || entityName || 'Merchant';
}

function cardholderOf(sent: Sent, holder: string | undefined): Message<'AReq'> {
  const address = (group: 'billing' | 'shipping', prefix: 'billAddr' | 'shipAddr'): Message<'AReq'> => {
    const part = (name: string, max: number) => sent[`${group}.${name}`]?.slice(0, max);
    const state = sent[`${group}.state`];
    const house = part('houseNumber1', 50);
    const line1 = [part('street1', 50), house].filter(Boolean).join(' ').slice(0, 50);
    const country = countryNumber(sent[`${group}.country`] ?? '');
    return present({
      [`${prefix}Line1`]: line1 === '' ? undefined : line1,
      [`${prefix}Line2`]: house === undefined ? part('street2', 50) : undefined,
      [`${prefix}City`]: part('city', 50),
      [`${prefix}PostCode`]: part('postcode', 16),
      // A subdivision of ISO 3166-2 needs its country.
      [`${prefix}State`]: state !== undefined && state.length <= 3 && country ? state : undefined,
      [`${prefix}Country`]: country,
    });
  };
  return {
    ...address('billing', 'billAddr'),
    ...address('shipping', 'shipAddr'),
    ...present({
      email: sent['customer.email'],
      cardholderName: holder !== undefined && holder.length >= 2 ? holder.slice(0, 45) : undefined,
    }),
  };
}

function purchaseOf(plan: Plan, { sent, entity, amount, nowMs }: AReqFacts): Message<'AReq'> {
  if (plan.category === '02') return {};
  const country =
    sent['threeDSecure.merchant.country'] ?? sent['merchant.country'] ?? sent['merchant.countryCode'];
  const mcc = sent['merchant.mcc'] ?? '';
  const digits = (name: string) => sent[`standingInstruction.${name}`]?.replace(/\D/g, '');
  const instalments = Number(sent['standingInstruction.numberOfInstallments'] ?? '0');
  return {
    acquirerBIN: DEFAULTS.acquirerBin,
    acquirerMerchantID: entity.id,
    mcc: /^\d{4}$/.test(mcc) ? mcc : DEFAULTS.mcc,
    merchantCountryCode: countryNumber(country ?? '') ?? DEFAULTS.country,
    merchantName: nameOf(sent, entity.name).slice(0, 40),
    purchaseAmount: String(amount.minor),
    purchaseCurrency: currencyNumber(amount.currency) ?? '',
    purchaseExponent: String(minorDigits(amount.currency)),
    purchaseDate: new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 14),
    ...present({ recurringExpiry: digits('expiry'), recurringFrequency: digits('frequency') }),
    ...(instalments > 1 && { purchaseInstalData: String(instalments) }),
  };
}

function browserOf(sent: Sent, { version }: Plan): Message<'AReq'> {
  const of = (name: string) => sent[`customer.browser.${name}`];
  const depth = of('screenColorDepth');
  return present({
    browserAcceptHeader: of('acceptHeader'),
    browserIP: sent['customer.ip']?.slice(0, 45),
    browserJavaEnabled: of('javaEnabled') === 'true',
    browserJavascriptEnabled: version === '2.1.0' ? undefined : of('javascriptEnabled') !== 'false',
    browserLanguage: of('language'),
    browserColorDepth: depth !== undefined && COLOUR_DEPTHS.includes(depth) ? depth : undefined,
    browserScreenHeight: of('screenHeight'),
    browserScreenWidth: of('screenWidth'),
    browserTZ: of('timezone'),
    browserUserAgent: of('userAgent'),
  });
}

/** The app's data goes on as it came; which challenges the app can show is for the SDK to say, and native ones are not built. */
function appOf(sent: Sent): Message<'AReq'> {
  const info = readDeviceInfo(sent['threeDSecure.deviceInfo'] ?? '');
  if (typeof info === 'string') return {};
  return { ...info, deviceRenderOptions: { sdkInterface: '03', sdkUiType: ['01', '02', '03', '04', '05'] } };
}

/** Data of the domestic French scheme, and the course that a test requests. */
function extensionsOf({ sent, testFlow }: AReqFacts): Message<'AReq'> {
  const data = Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const [, key] = /^threeDSecure\.schemeData\[(.+)\]$/.exec(name) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
  const extensions: readonly MessageExtension[] = [
    ...(Object.keys(data).length > 0
      ? [{ id: 'A000000042', name: 'CB', criticalityIndicator: false, data }]
      : []),
    ...(testFlow ? [testFlowExtension(testFlow)] : []),
  ];
  return extensions.length > 0 ? { messageExtension: extensions } : {};
}
