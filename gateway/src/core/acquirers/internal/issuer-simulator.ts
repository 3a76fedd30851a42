import { panSequenceNumber } from '@tillbridge/wire/emv/pan-sequence-number.js';
import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import { APPROVED, APPROVED_IN_PART, isApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { isExpired } from '@tillbridge/wire/payment/expiry.js';
import { findTestAccount } from '@tillbridge/wire/payment/test-accounts.js';
import type { IssuerBehaviour } from '@tillbridge/wire/payment/test-cards.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import {
  behaviourOf,
  decideAmount,
  halfOf,
  isChip,
  pinVerificationValues,
  withWrongArpc,
} from '@tillbridge/wire/simulated-issuer/issuer-rules.js';
import { newApprovalCode } from '@tillbridge/wire/simulated-issuer/new-approval-code.js';
import { type SecurityModule, SecurityModuleError } from '../../../security/module/security-module.js';
import {
  type AcquirerBankAccount,
  type AcquirerCard,
  type AcquirerMoneyRequest,
  type AcquirerToken,
  cardOf,
} from '../acquirer.js';
import { decideToken } from './decide-token.js';
import type { IssuerVerdict } from './ledger.js';
import { isAuthenticationAccepted } from './verify-authentication.js';

/** What the issuer needs. */
interface IssuerSimulatorOptions {
  readonly security: Pick<SecurityModule, 'verifyArqcAndMakeArpc' | 'verifyPin'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** The bank that issued every test card: verifies what can be verified, then applies the card's row. */
export class IssuerSimulator {
  readonly #options: IssuerSimulatorOptions;

  constructor(options: IssuerSimulatorOptions) {
    this.#options = options;
  }

  /**
   * Decides on an authorization, an advice or a credit.
   * @throws SecurityModuleError `unknown-key`, `unavailable`: no decision could be made
   */
  async decide(request: AcquirerMoneyRequest): Promise<IssuerVerdict> {
    if (request.instrument?.kind === 'bank-account') return this.#decideDebit(request, request.instrument);
    if (request.instrument?.kind === 'token') return this.#decideToken(request, request.instrument);
    const account = cardOf(request);
    if (account === undefined || !passesLuhn(account.pan)) return { responseCode: '14' };
    const behaviour = behaviourOf(account.pan);
    const responseCode = await this.#responseCode(request, account, behaviour);
    const checked = await this.#checkCryptogram(request, account, responseCode);
    if (checked === 'invalid') return { responseCode: '63' };
    const iccDataResponse = checked && (behaviour.kind === 'bad-arpc' ? withWrongArpc(checked) : checked);
    return {
      responseCode,
      ...(isApproval(responseCode) && {
        approvalCode: request.approvalCode ?? newApprovalCode(this.#options.random),
      }),
      ...(responseCode === APPROVED_IN_PART && { approvedMinor: halfOf(request.amount) }),
      ...(iccDataResponse && { iccDataResponse }),
    };
  }

  #decideToken(request: AcquirerMoneyRequest, token: AcquirerToken): IssuerVerdict {
    const { clock, random } = this.#options;
    const responseCode = decideToken(request, token, clock.nowMs());
    return { responseCode, ...(responseCode === APPROVED && { approvalCode: newApprovalCode(random) }) };
  }

  /** The bank's decision on a debit, and whether it returns it on its due date. */
  #decideDebit({ kind }: AcquirerMoneyRequest, account: AcquirerBankAccount): IssuerVerdict {
    const { random, clock } = this.#options;
    const behaviour = findTestAccount(account)?.behaviour ?? { kind: 'pay' };
    if (kind !== 'authorization' || behaviour.kind === 'pay')
      return { responseCode: APPROVED, approvalCode: newApprovalCode(random) };
    if (behaviour.kind === 'decline') return { responseCode: behaviour.responseCode };
    const dueAtMs =
      account.dueDate === undefined ? clock.nowMs() : Date.parse(`${account.dueDate}T00:00:00Z`);
    // A debit due today or before is returned at the first query.
    const atMs = Math.max(dueAtMs, clock.nowMs());
    return {
      responseCode: APPROVED,
      approvalCode: newApprovalCode(random),
      returns: { reason: behaviour.reason, atMs },
    };
  }

  async #responseCode(
    request: AcquirerMoneyRequest,
    account: AcquirerCard,
    behaviour: IssuerBehaviour,
  ): Promise<string> {
    if (behaviour.kind === 'decline') return behaviour.responseCode;
    if (isExpired(account, this.#options.clock.nowMs())) return '54';
    if (!isAuthenticationAccepted(request)) return '63';
    return (await this.#pinIsRight(request, account))
      ? decideAmount(amountRequestOf(request), behaviour)
      : '55';
  }

  /** An online PIN is checked against the verification value in the track's discretionary data; no PIN is no fault. */
  async #pinIsRight({ pos }: AcquirerMoneyRequest, { pan, track2 }: AcquirerCard): Promise<boolean> {
    if (pos?.pin === undefined) return true;
    const values = track2 === undefined ? undefined : pinVerificationValues(track2);
    if (values === undefined) return false;
    try {
      return await this.#options.security.verifyPin({ pin: pos.pin, pan, ...values });
    } catch (error) {
      if (error instanceof SecurityModuleError && error.code === 'bad-data') return false;
      throw error;
    }
  }

  /** Tag 91 for the card, `invalid`, or undefined where there is nothing to check or to answer. */
  async #checkCryptogram(
    request: AcquirerMoneyRequest,
    account: AcquirerCard,
    responseCode: string,
  ): Promise<Uint8Array | 'invalid' | undefined> {
    const { pos, kind } = request;
    if (pos === undefined) return undefined;
    const iccData = pos.iccData ?? new Uint8Array();
    // A refund may go to a card that is not there; one that is there believes the approval only with an ARPC.
    const needed = isChip(pos.entryMode) && kind !== 'credit';
    if (iccData.length === 0) return needed ? 'invalid' : undefined;
    try {
      const verdict = await this.#options.security.verifyArqcAndMakeArpc({
        pan: account.pan,
        panSequenceNumber: panSequenceNumber(pos.panSequenceNumber, iccData),
        iccData,
        responseCode,
        expect: kind === 'advice' ? 'TC' : 'ARQC',
      });
      return verdict.valid ? verdict.iccDataResponse : 'invalid';
    } catch (error) {
      if (error instanceof TlvError) return 'invalid';
      if (error instanceof SecurityModuleError && error.code === 'bad-data') return 'invalid';
      throw error;
    }
  }
}

/** What of a request the issuer's rules ask for. */
function amountRequestOf({ kind, amount, partialAllowed, approvalCode }: AcquirerMoneyRequest) {
  // Of what has happened already the issuer can only take note.
  return { isAdvice: kind === 'advice' || kind === 'credit', amount, partialAllowed, approvalCode };
}
