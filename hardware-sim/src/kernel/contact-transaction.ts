import { toHex } from '@tillbridge/wire/bytes.js';
import {
  type ActionAnalysis,
  type IssuerActionCodes,
  type RequestedCryptogram,
  terminalActionAnalysis,
} from '@tillbridge/wire/emv/action-analysis.js';
import { AIP, TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { bitNames, hasBit } from '@tillbridge/wire/emv/bits.js';
import type { CryptogramType } from '@tillbridge/wire/emv/cid.js';
import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { INS, SW } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { contactCandidates, type SelectedApplication, selectFinally } from './application-selection.js';
import { exchange, powerOn } from './card-reader.js';
import { type Cardholder, type VerificationResult, verifyCardholder } from './cardholder-verification.js';
import { generateAc } from './generate-ac.js';
import { initiateApplication, readApplicationData } from './initiate-application.js';
import { runIssuerScripts } from './issuer-scripts.js';
import { swText } from './kernel-error.js';
import { authenticateOffline, type OfflineAuthenticationInputs } from './offline-authentication.js';
import { applyProcessingRestrictions } from './processing-restrictions.js';
import { setInputs, setParameters } from './terminal-objects.js';
import type { ApplicationParameters, RiskInputs, TransactionInputs } from './terminal-parameters.js';
import { manageTerminalRisk } from './terminal-risk-management.js';
import { type DecisionWatcher, TransactionData } from './transaction-data.js';

/** A card that has been read; the transaction stands before processing restrictions. */
export interface OpenTransaction {
  readonly card: Card;
  readonly data: TransactionData;
  readonly application: SelectedApplication;
}

/** What a terminal brings to the start of a transaction. */
export interface StartInputs {
  readonly transaction: TransactionInputs;
  /** The terminal's AIDs, hex. */
  readonly aids: readonly string[];
  /** The parameters of one of them; called after the card's choice. */
  readonly parametersOf: (terminalAid: string) => ApplicationParameters;
  /** Objects of the host that come before the terminal's own. */
  readonly overrides: readonly TlvNode[];
  readonly random: Random;
  readonly onDecision?: DecisionWatcher | undefined;
}

/** Objects without which no contact transaction goes on (EMV Book 3 §7.2). */
const MANDATORY = ['5A', '5F24', '8C', '8D'] as const;
const UNPREDICTABLE_NUMBER_BYTES = 4;

/**
 * Application selection, initiation and reading (EMV Book 3 §10.1, §10.2).
 * @throws KernelError; CardCommunicationError when the card is gone
 */
export async function openContact(card: Card, inputs: StartInputs): Promise<OpenTransaction> {
  await powerOn(card);
  const application = await selectFinally(card, await contactCandidates(card, inputs.aids));
  const data = terminalData(application, inputs);
  await initiateApplication(card, application.pdol, data);
  await readApplicationData(card, data, MANDATORY);
  return { card, data, application };
}

/** The terminal's objects for an application that was selected, before those of the card are read. */
export function terminalData(
  { terminalAid, name, label }: SelectedApplication,
  inputs: StartInputs,
): TransactionData {
  const data = new TransactionData(inputs.onDecision);
  setParameters(data, inputs.parametersOf(terminalAid));
  setInputs(data, inputs.transaction, inputs.overrides);
  data.set('9F37', inputs.random.bytes(UNPREDICTABLE_NUMBER_BYTES));
  data.set('4F', Buffer.from(name, 'hex'));
  data.set('84', Buffer.from(name, 'hex'));
  data.set('50', Buffer.from(label, 'latin1'));
  data.explain({
    topic: 'selection',
    what: label,
    reason: `AID ${name} of the card matches ${terminalAid} of the terminal`,
  });
  return data;
}

/** What decides between the reading of the card and its first cryptogram. */
export interface DecisionInputs {
  readonly parameters: ApplicationParameters;
  /** Undefined: no terminal risk management. */
  readonly risk: RiskInputs | undefined;
  readonly cardholder: Cardholder;
  /** The PAN stands in the host's exception list. */
  readonly onExceptionList: boolean;
  /** What offline data authentication needs; without it none is performed, and the TVR records that. */
  readonly offlineAuthentication?: OfflineAuthenticationInputs;
  /** The host allows no offline approval. */
  readonly forceOnline: boolean;
  readonly random: Random;
}

/** The first cryptogram and what verification left to do. */
export interface FirstDecision {
  readonly cryptogram: CryptogramType;
  readonly verification: VerificationResult;
}

/**
 * Offline data authentication, processing restrictions, cardholder verification, terminal risk management, terminal and card action analysis
 * (EMV Book 3 §10.3 to §10.8).
 * @throws KernelError; CardCommunicationError; what the cardholder's entry throws
 */
export async function decideContact(open: OpenTransaction, inputs: DecisionInputs): Promise<FirstDecision> {
  const { card, data } = open;
  await authenticateOffline(card, data, inputs.offlineAuthentication);
  if (inputs.onExceptionList) data.markTvr(TVR.exceptionFile, 'the host has the card on its exception list');
  chooseVersion(data, inputs.parameters.versions);
  applyProcessingRestrictions(data, inputs.parameters.versions);
  const verification = await verifyCardholder(card, data, inputs.cardholder);
  if (inputs.risk) await manageTerminalRisk(card, data, inputs.risk, inputs.random);
  const analysis = terminalActionAnalysis({
    tvr: data.tvr,
    terminal: inputs.parameters.actionCodes,
    issuer: issuerActionCodes(data),
    ability: 'online-capable',
  });
  const request = analysis.request === 'TC' && inputs.forceOnline ? 'ARQC' : analysis.request;
  explainAction(data, analysis, request);
  if (request !== 'ARQC' && analysis.responseCode) setResponseCode(data, analysis.responseCode);
  const cryptogram = await generateAc(card, data, '8C', request, 'fallback');
  if (cryptogram === 'AAC') setResponseCode(data, 'Z1');
  return { cryptogram, verification };
}

/** The terminal shows the version that the card has, if it supports that one (tag 9F09). */
function chooseVersion(data: TransactionData, versions: readonly string[]): void {
  const cardVersion = toHex(data.get('9F08') ?? Buffer.alloc(0));
  const version = versions.includes(cardVersion) ? cardVersion : versions[0];
  if (version !== undefined) data.set('9F09', Buffer.from(version, 'hex'));
}

function explainAction(data: TransactionData, analysis: ActionAnalysis, request: RequestedCryptogram): void {
  const { matched, reasons } = analysis;
  const bits = bitNames(reasons, TVR).join('; ');
  const reason =
    request === analysis.request
      ? matched === 'none'
        ? 'no bit of the TVR is in an action code'
        : `the ${matched} action codes have: ${bits}`
      : 'the host allows no offline approval';
  data.explain({ topic: 'action', what: `ask for ${request}`, reason });
}

function issuerActionCodes(data: TransactionData): IssuerActionCodes {
  const [denial, online, fallback] = [data.get('9F0E'), data.get('9F0F'), data.get('9F0D')];
  return { ...(denial && { denial }), ...(online && { online }), ...(fallback && { default: fallback }) };
}

function setResponseCode(data: TransactionData, code: string): void {
  data.set('8A', Buffer.from(code, 'latin1'));
}

/** What came of going online. */
export type HostOutcome =
  | {
      readonly kind: 'approved' | 'declined';
      /** Two characters, tag 8A. */
      readonly responseCode: string;
      /** Objects of the issuer: 91, 71, 72. */
      readonly issuerObjects: readonly TlvNode[];
    }
  | { readonly kind: 'unable-to-go-online' };

/** The end of a transaction. */
export interface Completion {
  readonly decision: 'approved' | 'declined';
  /** Five bytes for each script that was run. */
  readonly scriptResults: Buffer;
}

/**
 * Issuer authentication, scripts and the second GENERATE AC (EMV Book 3 §10.9 to §10.11); without an issuer the
 * default action codes decide (Y3, Z3).
 * @throws KernelError; CardCommunicationError
 */
export async function completeContact(
  open: OpenTransaction,
  parameters: ApplicationParameters,
  outcome: HostOutcome,
  forceOnline: boolean,
): Promise<Completion> {
  return outcome.kind === 'unable-to-go-online'
    ? completeOffline(open, parameters, forceOnline)
    : completeWithIssuer(open, outcome);
}

async function completeOffline(
  { card, data }: OpenTransaction,
  parameters: ApplicationParameters,
  forceOnline: boolean,
): Promise<Completion> {
  const analysis = terminalActionAnalysis({
    tvr: data.tvr,
    terminal: parameters.actionCodes,
    issuer: issuerActionCodes(data),
    ability: 'unable-to-go-online',
  });
  const approve = analysis.request === 'TC' && !forceOnline;
  explainAction(data, analysis, approve ? 'TC' : 'AAC');
  setResponseCode(data, approve ? 'Y3' : 'Z3');
  const cryptogram = await generateAc(card, data, '8D', approve ? 'TC' : 'AAC', 'card-misbehaves');
  if (cryptogram !== 'TC') setResponseCode(data, 'Z3');
  return { decision: cryptogram === 'TC' ? 'approved' : 'declined', scriptResults: Buffer.alloc(0) };
}

async function completeWithIssuer(
  { card, data }: OpenTransaction,
  outcome: Extract<HostOutcome, { kind: 'approved' | 'declined' }>,
): Promise<Completion> {
  setResponseCode(data, outcome.responseCode);
  data.explain({ topic: 'issuer', what: outcome.kind, reason: `the host answered ${outcome.responseCode}` });
  await authenticateIssuer(card, data, findTlv(outcome.issuerObjects, '91'));
  const before = await runIssuerScripts(card, data, outcome.issuerObjects, '71');
  const request = outcome.kind === 'approved' ? 'TC' : 'AAC';
  const cryptogram = await generateAc(card, data, '8D', request, 'card-misbehaves');
  const after = await runIssuerScripts(card, data, outcome.issuerObjects, '72');
  return {
    decision: cryptogram === 'TC' ? 'approved' : 'declined',
    scriptResults: Buffer.concat([before, after]),
  };
}

/** EXTERNAL AUTHENTICATE where the AIP requires it; otherwise the card checks tag 91 in the second GENERATE AC. */
async function authenticateIssuer(
  card: Card,
  data: TransactionData,
  issuerData: Uint8Array | undefined,
): Promise<void> {
  if (issuerData === undefined) return;
  data.set('91', issuerData);
  if (!hasBit(data.require('82'), AIP.issuerAuthentication)) return;
  const answer = await exchange(card, { cla: 0x00, ins: INS.externalAuthenticate, data: issuerData });
  data.markTsi(TSI.issuerAuthenticationPerformed, 'the card got the issuer’s authentication data (tag 91)');
  if (answer.sw !== SW.ok)
    data.markTvr(TVR.issuerAuthenticationFailed, `EXTERNAL AUTHENTICATE answered ${swText(answer.sw)}`);
}

/**
 * Scripts for a card whose transaction ended in the first cryptogram (maintenance); the decision stands.
 * @returns script results
 */
export async function maintainCard(
  { card, data }: OpenTransaction,
  issuerObjects: readonly TlvNode[],
): Promise<Buffer> {
  if (issuerObjects.length === 0) return Buffer.alloc(0);
  return runIssuerScripts(card, data, issuerObjects, '71');
}
