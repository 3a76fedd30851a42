import { RefusedError } from '@tillbridge/panel-kit/refused-error.js';
import { faultWords } from '../texts/faults.js';
import { t } from '../texts/texts.js';
import type {
  Caller,
  Condition,
  DayClose,
  DayClosesPage,
  DisplayCode,
  History,
  Queue,
  Refunds,
  Sale,
  SalesPage,
  SignedIn,
  Status,
  Totals,
  TotalsBy,
} from './answers.js';
import { type Leaving, leavingRemembered, rememberLeaving } from './remembered.js';

/** How long a call may take, in milliseconds: reversals and cancellations wait for an end. */
const CALL_TIMEOUT_MS = 65_000;

/** Calls that only look are given up sooner: a page that waits shows nothing new. */
const LOOK_TIMEOUT_MS = 5_000;

/** Most sales of a page that the agent gives. */
const PAGE = 500;

/** The agent was not reached, or its answer was lost: what it did is not known. */
export class NotReachedError extends Error {
  override readonly name = 'NotReachedError';

  constructor() {
    super(t('notReached'));
  }
}

/** What starts a sale or a refund. */
export interface SaleRequest {
  readonly reference: string;
  readonly type: Sale['type'];
  /** All that is paid, tip and cash back among it. */
  readonly amount: string;
  readonly tip?: string;
  readonly cashBack?: string;
  readonly currency: string;
  readonly terminalId: string;
  readonly originalReference?: string;
}

/** Outcomes by which a person resolves a parked sale. */
export type Resolution = 'approved' | 'declined' | 'reversed' | 'failed';

/** For whom a receipt is. */
export type ReceiptCopy = 'customer' | 'merchant';

/** A sign-in: a one-time code, or the token of a till. */
export type SignInBy = { readonly code: string } | { readonly token: string };

/** Marks requests of the agent's own page: its cookie counts with this header alone. */
const PAGE_HEADER = 'x-tillbridge-page';

/** How long after a person did something the page counts as attended, in milliseconds: longer than the time between two looks at the state. */
export const ATTENDED_MS = 10_000;

/** The agent's routes, called with the cookie of this page. Every method may throw {@link RefusedError} and {@link NotReachedError}. */
export class AgentClient {
  /** By how much the clock of the agent is ahead of that of the browser, in milliseconds. */
  #aheadMs = 0;
  /** When a person did something on this page, monotonic milliseconds. */
  #attendedAtMs = Number.NEGATIVE_INFINITY;

  /** A person does something on this page: what it requests by itself does not keep a till with a PIN unlocked. */
  attended(): void {
    this.#attendedAtMs = performance.now();
  }

  /** What the clock of the agent shows, within a second, milliseconds since 1970: that of a tablet may be wrong. */
  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Signs this browser in; a script never sees by what it stays signed in. */
  async signIn(by: SignInBy): Promise<SignedIn> {
    const signedIn = await this.#post<SignedIn>('/v1/sign-in', by);
    rememberLeaving(undefined);
    return signedIn;
  }

  async unlock(pin: string): Promise<SignedIn> {
    const signedIn = await this.#post<SignedIn>('/v1/sign-in/pin', { pin });
    rememberLeaving(undefined);
    return signedIn;
  }

  /** Locks the till; where the agent is away, as soon as {@link caller} reaches it. */
  lock(): Promise<void> {
    return this.#leave('lock');
  }

  /** Signs this browser out; where the agent is away, as soon as {@link caller} reaches it. */
  signOut(): Promise<void> {
    return this.#leave('sign-out');
  }

  /** Who is signed in, after the session was left as a person wanted while the agent was away. */
  async caller(): Promise<Caller> {
    const leaving = leavingRemembered();
    if (leaving) await this.#leave(leaving);
    return this.#look('/v1/caller');
  }

  async #leave(leaving: Leaving): Promise<void> {
    rememberLeaving(leaving);
    await this.#send('POST', leaving === 'lock' ? '/v1/sign-in/lock' : '/v1/sign-out');
    // A sign-out may follow while the till is being locked.
    if (leavingRemembered() === leaving) rememberLeaving(undefined);
  }

  status(): Promise<Status> {
    return this.#look('/v1/status');
  }

  queue(): Promise<Queue> {
    return this.#look('/v1/queue');
  }

  history(): Promise<History> {
    return this.#look('/v1/history');
  }

  /** The newest sales of the last days, newest first. */
  async lastSales(sinceMs: number, limit: number): Promise<readonly Sale[]> {
    const query = new URLSearchParams({
      since: new Date(sinceMs).toISOString(),
      order: 'newest',
      limit: String(limit),
    });
    return (await this.#look<{ readonly sales: readonly Sale[] }>(`/v1/sales?${query}`)).sales;
  }

  /** Sales of the last days, newest first, at most `most` of them. */
  async pastSales(sinceMs: number, most: number): Promise<readonly Sale[]> {
    const sales: Sale[] = [];
    for (let next: string | undefined; sales.length < most; ) {
      const query = new URLSearchParams({
        since: new Date(sinceMs).toISOString(),
        order: 'newest',
        limit: String(Math.min(PAGE, most - sales.length)),
        ...(next !== undefined && { after: next }),
      });
      const page = await this.#look<SalesPage>(`/v1/sales?${query}`);
      sales.push(...page.sales);
      next = page.next;
      if (next === undefined) break;
    }
    return sales;
  }

  refunds(reference: string): Promise<Refunds> {
    return this.#look(`${salePath(reference)}/refunds`);
  }

  sale(reference: string): Promise<Sale> {
    return this.#look(salePath(reference));
  }

  async condition(terminalId: string): Promise<Condition> {
    const path = `/v1/terminals/${encodeURIComponent(terminalId)}/condition`;
    return (await this.#look<{ readonly condition: Condition }>(path)).condition;
  }

  /** A one-time code of a customer display, and the picture of its address. */
  displayCode(terminalId: string, page: string): Promise<DisplayCode> {
    return this.#post(`/v1/terminals/${encodeURIComponent(terminalId)}/display-code`, { page });
  }

  /** The totals of a day of the store, `YYYY-MM-DD`. */
  totals(by: TotalsBy, day: string): Promise<Totals> {
    const next = new Date(Date.parse(day) + 24 * 3_600_000).toISOString().slice(0, 10);
    return this.#look(`/v1/totals?${new URLSearchParams({ by, since: day, until: next })}`);
  }

  /** The newest day closes, newest first. */
  async dayCloses(): Promise<readonly DayClose[]> {
    return (await this.#look<DayClosesPage>('/v1/day-closes')).dayCloses;
  }

  /** Closes the day; the same call again is the same close. */
  closeDay(reference: string): Promise<DayClose> {
    return this.#post('/v1/day-closes', { reference });
  }

  /** The receipt as text of 32 characters a line, marked as printed once more. */
  async receipt(reference: string, copy: ReceiptCopy): Promise<string> {
    const query = new URLSearchParams({ copy, reprint: 'true' });
    return (await this.#send('GET', `${salePath(reference)}/receipt?${query}`)).text();
  }

  /** Starts a sale and returns as soon as it is journaled. The same call again is the same sale. */
  start(request: SaleRequest): Promise<Sale> {
    return this.#post('/v1/sales', request, { prefer: 'respond-async' });
  }

  cancel(reference: string): Promise<Sale> {
    return this.#post(`${salePath(reference)}/cancel`);
  }

  reverse(reference: string): Promise<Sale> {
    return this.#post(`${salePath(reference)}/reversal`);
  }

  approveByVoice(reference: string, approvalCode: string): Promise<Sale> {
    return this.#post(`${salePath(reference)}/voice-authorization`, { approvalCode });
  }

  resolve(reference: string, outcome: Resolution, note: string): Promise<Sale> {
    return this.#post(`${salePath(reference)}/resolution`, { outcome, note });
  }

  acknowledge(reference: string): Promise<Sale> {
    return this.#post(`/v1/queue/${encodeURIComponent(reference)}/acknowledgement`);
  }

  flush(): Promise<Queue> {
    return this.#post('/v1/queue/flush');
  }

  /** A token that opens one stream of events. */
  async streamToken(): Promise<string> {
    return (await this.#post<{ readonly token: string }>('/v1/events/token')).token;
  }

  #look<T>(path: string): Promise<T> {
    return this.#send('GET', path, undefined, {}, LOOK_TIMEOUT_MS).then(json<T>);
  }

  #post<T>(path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    return this.#send('POST', path, body, headers).then(json<T>);
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
    timeoutMs = CALL_TIMEOUT_MS,
  ): Promise<Response> {
    let response: Response;
    const isAttended = performance.now() - this.#attendedAtMs < ATTENDED_MS;
    try {
      response = await fetch(path, {
        method,
        headers: {
          [PAGE_HEADER]: isAttended ? '1' : 'unattended',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch {
      throw new NotReachedError();
    }
    const sentAtMs = Date.parse(response.headers.get('date') ?? '');
    if (Number.isFinite(sentAtMs)) this.#aheadMs = sentAtMs - Date.now();
    if (response.ok) return response;
    const answer = (await response.json().catch(() => undefined)) as
      | { readonly error?: { readonly code?: string; readonly message?: string } }
      | undefined;
    if (answer?.error?.code === undefined) throw new NotReachedError();
    throw refusedError(answer.error.code, answer.error.message ?? answer.error.code);
  }
}

/** In the words of the cashier where there are some; what the agent wrote is then the detail. */
function refusedError(code: string, message: string): RefusedError {
  const words = faultWords('call', code);
  const terminal = /terminal (\d+)/.exec(message)?.[1];
  const values = { terminal: t('terminalNamed', { id: terminal ?? '' }).trim() };
  return words ? new RefusedError(code, t(words[0], values), message) : new RefusedError(code, message);
}

async function json<T>(response: Response): Promise<T> {
  return (await response.json().catch(() => {
    throw new NotReachedError();
  })) as T;
}

function salePath(reference: string): string {
  return `/v1/sales/${encodeURIComponent(reference)}`;
}
