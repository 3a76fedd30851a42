import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import {
  answerMessage,
  encodeMessage,
  idsOf,
  ThreeDSError,
} from '@tillbridge/wire/three-d-secure/messages/codec.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import type { AcquirerRedirect } from '../../core/acquirers/acquirer.js';
import type { WaitCause } from '../../core/payments/rules/waits.js';
import type { Echo } from '../../kernel/api/echo.js';
import { withQuery } from '../../kernel/api/return-url.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { AuthenticationRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import type { WaitSeal } from '../../security/vault/wait-seal.js';
import type { ThreeDSecureAddresses } from './addresses.js';
import {
  answerOf,
  byTransaction,
  newAuthenticationRow,
  openJson,
  type RowAnswer,
  rowAnswer,
  sealJson,
} from './authentication-row.js';
import { type Authenticator, methodDataOf, type Subject } from './authenticator.js';
import { aboutOf, proofPrint } from './brought-proof.js';
import type { Outcome, Session, SessionEvent, Step } from './rules/session.js';

/** How long an authentication on its own waits for its cardholder, in milliseconds. */
const STAND_ALONE_LIFETIME_MS = 900_000;

/** What the service works with. */
interface ThreeDSecureServiceOptions {
  readonly authenticator: Authenticator;
  readonly addresses: () => ThreeDSecureAddresses | undefined;
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly seal: WaitSeal;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly random: Random;
  readonly mode: 'test' | 'live';
  /** Looks at a payment that waits; resolves with its outcome, undefined while it waits on. */
  readonly continuePayment: (paymentId: string, why: WaitCause) => Promise<unknown>;
  /** Our pages for the shopper of a payment. */
  readonly shopperPages: (paymentId: string) => { readonly start: string; readonly back: string } | undefined;
  readonly onFault: (what: string, error: unknown) => void;
}

/** What is kept of an authentication on its own. */
interface Kept {
  readonly session: Session;
  /** Gone once it has ended. */
  readonly subject?: Subject;
}

/** An authentication on its own as answers show it. */
export interface StandAlone {
  readonly id: string;
  readonly entityId: string;
  readonly resultCode: string;
  readonly threeDSecure: Echo;
  readonly echo: Echo;
  readonly redirect?: AcquirerRedirect;
  /** Which parameters were refused and why, for the merchant; nothing of their values. */
  readonly detail?: string;
}

const CODES = {
  pending: '000.200.000',
  frictionless: '000.400.110',
  dataOnly: '000.400.120',
  expired: '100.380.501',
} as const;

/** 3D Secure outside the payments: results of the servers, steps of browsers, and authentications on their own. */
export class ThreeDSecureService {
  readonly #options: ThreeDSecureServiceOptions;

  constructor(options: ThreeDSecureServiceOptions) {
    this.#options = options;
  }

  /** The answer to a message of the directory server: RRes once the result is stored, or Erro. @throws StoreUnavailableError */
  takeMessage(text: string): Promise<string> {
    return answerMessage(text, ['RReq'], 'S', async (rreq) => {
      await this.#takeResult(rreq);
      const ids = { ...idsOf(rreq), ...sdkOf(rreq) };
      return encodeMessage('RRes', { messageType: 'RRes', ...ids, resultsStatus: '01' });
    });
  }

  /** Notes that the access control server has ended its method call. */
  async methodNotified(transId: string): Promise<void> {
    await this.#update(transId, (row) =>
      row.compInd === null && row.state === 'open' ? { ...row, compInd: 'Y' } : undefined,
    );
  }

  /** What the page of the method call gives to the browser; undefined where there is none to be made. */
  async methodCall(transId: string): Promise<{ readonly url: string; readonly data: string } | undefined> {
    const addresses = this.#options.addresses();
    const row = await byTransaction(this.#options.store, transId);
    const { methodUrl } = row ? rowAnswer(row) : {};
    if (!row || !addresses || row.state !== 'open' || methodUrl === undefined) return undefined;
    // The page of the shop has made it already, as the precondition of the redirect.
    if (row.compInd !== null) return undefined;
    return { url: methodUrl, data: methodDataOf(addresses, row.transId) };
  }

  /** The browser has ended the method call, notified or not: the authentication goes on. @returns where the browser goes */
  async endMethod(transId: string): Promise<string | undefined> {
    const row = await this.#update(transId, (known) =>
      known.compInd === null && known.state === 'open' ? { ...known, compInd: 'N' } : undefined,
    );
    if (!row) return undefined;
    if (row.kind === 'payment') {
      const ended = await this.#options.continuePayment(row.id, 'news');
      const pages = this.#options.shopperPages(row.id);
      return ended === undefined ? pages?.start : pages?.back;
    }
    const next = await this.#carryOn(row);
    return next.state === 'open' ? this.#options.addresses()?.challenge(row.transId) : returnUrl(next);
  }

  /** Where the browser goes that comes from the access control server. The outcome is that of the result alone. */
  async returned(transId: string): Promise<string | undefined> {
    const row = await byTransaction(this.#options.store, transId);
    if (row?.kind === 'payment') return this.#options.shopperPages(row.id)?.back;
    return row && returnUrl(row);
  }

  /** Where the browser is sent for the challenge of an authentication on its own. */
  async challenge(transId: string): Promise<AcquirerRedirect | undefined> {
    const row = await byTransaction(this.#options.store, transId);
    if (!row || row.kind === 'payment' || row.state === 'done') return undefined;
    const { session, subject } = await this.#kept(row);
    return subject && this.#options.authenticator.redirectOf(session, subject.sent);
  }

  /** Begins an authentication on its own. @returns its state, or the result code of why there is none */
  async begin(
    subject: Subject,
    shopperResultUrl: string | undefined,
    echo: Echo,
  ): Promise<StandAlone | string> {
    const { authenticator, store, clock, random } = this.#options;
    const session = await authenticator.begin(subject);
    if (typeof session === 'string') return session;
    const nowMs = clock.nowMs();
    const fresh = newAuthenticationRow(newTimeOrderedId(random, nowMs), subject.entityId, session, nowMs);
    const named = { ...fresh, kind: 'stand-alone' as const, shopperResultUrl: shopperResultUrl ?? null };
    const about = aboutOf(this.#options.fingerprint, subject.card.pan, subject.amount);
    const row = this.#withSession(named, { session, subject }, { echo, about });
    await store.commit([{ op: 'insert', table: 'authentications', row }]);
    return this.#shown(row);
  }

  /** An authentication on its own; undefined for a foreign or unknown one. */
  async find(id: string): Promise<StandAlone | undefined> {
    const { store, clock } = this.#options;
    let row = await store.get('authentications', [id]);
    if (row?.kind !== 'stand-alone') return undefined;
    if (row.state === 'open' && clock.nowMs() >= row.createdAtMs + STAND_ALONE_LIFETIME_MS)
      row = await this.#update(row.transId, (known) =>
        known.state === 'open'
          ? { ...known, state: 'done', resultCode: CODES.expired, sealed: null, keyId: null }
          : undefined,
      );
    return row && this.#shown(row);
  }

  async #takeResult(rreq: Message<'RReq'>): Promise<void> {
    const { store, seal, onFault } = this.#options;
    const row = await byTransaction(store, rreq.threeDSServerTransID ?? '');
    const { acsTransId, dsTransId } = row ? rowAnswer(row) : {};
    if (!row || rreq.acsTransID !== acsTransId || rreq.dsTransID !== dsTransId)
      throw new ThreeDSError('301', 'threeDSServerTransID,acsTransID,dsTransID', 'RReq');
    // Sent again because our answer was lost.
    if (row.state === 'done') return;
    if (row.kind === 'stand-alone') {
      await this.#carryOn(row, { name: 'result', message: rreq });
      return;
    }
    await this.#update(row.transId, (known) =>
      known.state === 'open' ? { ...known, state: 'done', ...sealJson(seal, known.id, rreq) } : undefined,
    );
    // The servers wait for no acquirer: the next look at the payment finds what is stored here.
    void this.#goOn(row).catch((error: unknown) =>
      onFault(`payment ${row.id} did not go on after its authentication`, error),
    );
  }

  /** The payment goes on; once it has its outcome the result is needed no more. */
  async #goOn({ id, transId }: AuthenticationRow): Promise<void> {
    const ended = await this.#options.continuePayment(id, 'news');
    if (ended === undefined) return;
    await this.#update(transId, (row) =>
      row.sealed === null ? undefined : { ...row, sealed: null, keyId: null },
    );
  }

  /** The row after a session has gone on. */
  async #carryOn(known: AuthenticationRow, event?: SessionEvent): Promise<AuthenticationRow> {
    const { store, authenticator } = this.#options;
    let isFirst = true;
    const round = async (): Promise<AuthenticationRow> => {
      const row = isFirst ? known : ((await store.get('authentications', [known.id])) ?? known);
      isFirst = false;
      const { session, subject } = await this.#kept(row);
      if (!subject || row.state === 'done') return row;
      const methodEnded = row.compInd && ({ name: 'method-ended', compInd: row.compInd } as const);
      const next = await authenticator.carryOn(session, subject, event ?? methodEnded ?? undefined);
      const changed = this.#withSession(row, { session: next, subject }, rowAnswer(row));
      await store.commit([{ op: 'update', table: 'authentications', row: changed }]);
      return changed;
    };
    return decideAgain(this.#options, round, { key: `authentications/${known.id}` });
  }

  /** Row of an authentication on its own with its session; the subject is gone once that has ended. */
  #withSession(
    row: AuthenticationRow,
    { session, subject }: Kept,
    shown: Pick<RowAnswer, 'echo' | 'about'>,
  ): AuthenticationRow {
    const { step } = session;
    const kept: Kept = step.name === 'done' ? { session } : { session, ...(subject && { subject }) };
    return {
      ...row,
      state: step.name === 'done' ? 'done' : 'open',
      resultCode: step.name === 'done' ? this.#codeOf(step.outcome) : CODES.pending,
      answer: answerOf(session, shown),
      proof: this.#printOf(step),
      ...sealJson(this.#options.seal, row.id, kept),
    };
  }

  #printOf(step: Step): string | null {
    const { verificationId } = step.name === 'done' ? step.outcome : {};
    return verificationId === undefined ? null : proofPrint(this.#options.fingerprint, verificationId);
  }

  #codeOf({ refusal, status, flow }: Outcome): string {
    if (refusal !== undefined) return refusal;
    if (status === 'I') return CODES.dataOnly;
    if (status === 'Y' && flow === 'frictionless') return CODES.frictionless;
    return this.#options.mode === 'live' ? '000.000.000' : '000.100.110';
  }

  async #shown(row: AuthenticationRow): Promise<StandAlone> {
    const { authenticator, addresses } = this.#options;
    const { threeDSecure, echo = {} } = rowAnswer(row);
    const kept = row.sealed === null ? undefined : await this.#kept(row);
    const step = kept?.session.step;
    const { verificationId, refusalDetail: detail } = step?.name === 'done' ? step.outcome : {};
    const direct = kept?.subject && authenticator.redirectOf(kept.session, kept.subject.sent);
    // A CReq is longer than a parameter of an answer may be: our own page sends it.
    const page = step?.name === 'challenge' ? addresses()?.challenge(row.transId) : undefined;
    const redirect = page === undefined ? direct : ({ url: page, method: 'GET', parameters: [] } as const);
    return {
      id: row.id,
      entityId: row.entityId,
      resultCode: row.resultCode,
      threeDSecure: { ...threeDSecure, ...(present({ verificationId }) as Echo) },
      echo,
      ...present({ redirect, detail }),
    };
  }

  async #kept(row: AuthenticationRow): Promise<Kept> {
    const kept = (await openJson(this.#options.seal, row)) as Kept | undefined;
    if (!kept) throw new Error(`authentication ${row.id} keeps nothing`);
    return kept;
  }

  /** The row after a change; unchanged where `change` gives none. */
  #update(
    transId: string,
    change: (row: AuthenticationRow) => AuthenticationRow | undefined,
  ): Promise<AuthenticationRow | undefined> {
    const { store } = this.#options;
    return decideAgain(this.#options, async () => {
      const row = await byTransaction(store, transId);
      const next = row && change(row);
      if (!next) return row;
      await store.commit([{ op: 'update', table: 'authentications', row: next }]);
      return { ...next, version: next.version + 1 };
    });
  }
}

function sdkOf({ sdkTransID }: Message<'RReq'>): Pick<Message<'RRes'>, 'sdkTransID'> {
  return present({ sdkTransID });
}

/** The shop's page with the id of the authentication in its query (docs/three-d-secure.md); undefined where the shop named none. */
function returnUrl({ id, shopperResultUrl }: AuthenticationRow): string | undefined {
  if (shopperResultUrl === null) return undefined;
  return withQuery(shopperResultUrl, { id, resourcePath: `/v1/threeDSecure/${id}` });
}
