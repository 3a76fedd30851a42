import type { LedgerStore } from '@tillbridge/gateway/core/acquirers/internal/ledger-store.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { PaymentRow, TableName } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import { until } from '../clients/http.js';
import { type RestRequest, sendRest } from '../tenants/rest-client.js';
import { type Stranger, strangerOf } from '../tenants/stranger.js';
import type { ContentionCase, RequestAt, Stage } from './cases/contention-case.js';
import type { Gateways } from './gateways.js';
import { type Answered, countsOf, type Effects, faultsOf, summaryOf } from './judge.js';

/** How long the outcome of what was begun may take, in milliseconds. */
const OPEN_MS = 180_000;
/** Ledger entries that are read at once. */
const LEDGER_PAGE = 1_000;
/** Counter of the first merchant's card. */
const FIRST_COUNTER = 0x1000;
/** Paths whose answers 200 are payments. */
const PAYMENT_PATHS = /\/(payments(\/\w+)?|payment|chargeback|chargebackReversal)$/;

/** What a case brought about. */
interface Trial {
  /** What was answered and done, in one line. */
  readonly summary: string;
  /** What must not be, in words; empty: nothing. */
  readonly wrong: readonly string[];
}

/** Tries cases, one after the other. */
export class Trials {
  readonly #gateways: Gateways;
  readonly #atOnce: number;
  /** Merchants that were made; each has another card counter. */
  #merchants = 0;
  /** Up to where the acquirer's record was read. */
  #position = 0;

  constructor(gateways: Gateways, atOnce: number) {
    this.#gateways = gateways;
    this.#atOnce = atOnce;
  }

  /** Prepares a case with a new merchant, sends its requests at once, to one node after the other, and judges. */
  async try(tried: ContentionCase): Promise<Trial> {
    const { urls, store, tokenKey, shopUrl } = this.#gateways;
    const [url = ''] = urls;
    const atOnce = this.#atOnce;
    this.#merchants += 1;
    const own = await strangerOf(url, store, tokenKey, FIRST_COUNTER + this.#merchants);
    const stage: Stage = { own, atOnce, store, shopUrl, send: (request) => answerOf(url, request) };
    const requestAt = await tried.requests(stage);
    await untilDecided(store);
    await this.#newMoney();
    const before = await lookAt(store, tried, own);
    const answers = await this.#send(requestAt);
    await untilDecided(store);
    const effects = effectsOf(before, await lookAt(store, tried, own), await this.#newMoney());
    return {
      summary: summaryOf(answers, effects),
      wrong: [...faultsOf(tried, atOnce, answers, effects), ...((await tried.check?.(stage)) ?? [])],
    };
  }

  #send(requestAt: RequestAt): Promise<Answered[]> {
    const { urls } = this.#gateways;
    const requests = Array.from({ length: this.#atOnce }, (_none, at) => requestAt(at));
    return Promise.all(
      requests.map(async (request, at) => ({
        ...(await sendRest(urls[at % urls.length] ?? '', request)),
        isOfPayment: PAYMENT_PATHS.test(request.path),
      })),
    );
  }

  /** Kinds of the approved transactions since the last call. */
  async #newMoney(): Promise<readonly string[]> {
    const placed = await ledgerAfter(this.#gateways.ledger, this.#position);
    this.#position = placed.at(-1)?.position ?? this.#position;
    return placed.filter(({ row }) => row.approved === 1).map(({ row }) => row.kind);
  }
}

async function answerOf(url: string, request: RestRequest): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await sendRest(url, request);
  if (status !== 200) throw new Error(`${request.method} ${request.path}: ${JSON.stringify(body)}`);
  return body as Readonly<Record<string, unknown>>;
}

function untilDecided(store: Store): Promise<true> {
  return until('an outcome of every payment', OPEN_MS, async () => {
    const open = await store.find('intents', 'state', ['open'], { limit: 1 });
    return open.length === 0 ? true : undefined;
  });
}

interface Look {
  /** The merchant's approved payments. */
  readonly payments: readonly PaymentRow[];
  /** How many rows a table has. */
  readonly rows: ReadonlyMap<TableName, number>;
}

/** What there is of all that a case is judged by. */
async function lookAt(
  store: Store,
  { rows = {} }: ContentionCase,
  { merchant, channel, legacyChannel }: Stranger,
): Promise<Look> {
  const payments: PaymentRow[] = [];
  for (const owner of [merchant, channel, legacyChannel])
    payments.push(...(await store.findRange('payments', 'time', { equals: [owner] })));
  const counts = new Map<TableName, number>();
  for (const table of Object.keys(rows) as TableName[])
    counts.set(table, (await allRows(store, table)).length);
  return { payments: payments.filter(({ state }) => state !== 'declined'), rows: counts };
}

function effectsOf(before: Look, after: Look, money: readonly string[]): Effects {
  const known = new Set(before.payments.map(({ id }) => id));
  return {
    money: countsOf(money),
    rows: Object.fromEntries(
      [...after.rows].map(([table, count]) => [table, Math.abs(count - (before.rows.get(table) ?? 0))]),
    ),
    payments: after.payments.filter(({ id }) => !known.has(id)),
  };
}

async function ledgerAfter(ledger: LedgerStore, position: number) {
  const rows = [];
  for (let after = position; ; ) {
    const page = await ledger.after(after, LEDGER_PAGE);
    rows.push(...page);
    after = page.at(-1)?.position ?? after;
    if (page.length < LEDGER_PAGE) return rows;
  }
}
