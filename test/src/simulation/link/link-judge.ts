import { Readable } from 'node:stream';
import { nameOf } from '@tillbridge/gateway/app/ledger-check/difference.js';
import { InvariantCheck } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { LinkRecord } from '@tillbridge/gateway/core/acquirers/iso8583/journal/link-record.js';
import { StoreLinkJournal } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-link-journal.js';
import { setAccount } from '@tillbridge/gateway/features/settlement/administration.js';
import { STANDARD_FORM } from '@tillbridge/gateway/features/settlement/import/csv-form.js';
import { HostLines } from '@tillbridge/gateway/features/settlement/import/host-lines.js';
import { importFile } from '@tillbridge/gateway/features/settlement/import/import-file.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { messageKey } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/host-ledger.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import { ENTITY, merchant } from '../parts/seed-store.js';
import { LINK } from './link-config.js';
import type { LinkHost } from './link-host.js';

/** The number of the merchant at the acquirer. */
export const MERCHANT_NUMBER = 'MERCHANT-1';

const OPEN_STATES = ['sent', 'advice-pending', 'reversing'] as const;
/** Kinds of transactions of the host that move no money. */
const HOLDS: ReadonlySet<string> = new Set(['authorization', 'increment']);
const SILENT = { warn: () => undefined, error: () => undefined };

/** What is judged. */
interface LinkJudgeDeps extends SimulationDeps {
  readonly host: LinkHost;
  /** Of the gateways with the link. */
  readonly database: MemoryStore;
  readonly breach: (text: string) => void;
}

/** Outcomes of its requests that the merchant received, by acquirer reference. */
interface ReportedRequests {
  /** Approved, and not taken back since. */
  readonly approved: ReadonlySet<string>;
  /** Reversed because their outcome was unknown. */
  readonly givenUp: ReadonlySet<string>;
  /** Approved, and reversed as a whole by the merchant. */
  readonly takenBack: ReadonlySet<string>;
}

/** Compares what a link believes with the ledger of its host. What the gateway has found by itself counts for nothing where it is wrong. */
export class LinkJudge {
  readonly #deps: LinkJudgeDeps;

  constructor(deps: LinkJudgeDeps) {
    this.#deps = deps;
  }

  /** Whether every exchange has an outcome. */
  async isOver(): Promise<boolean> {
    const { database } = this.#deps;
    for (const state of OPEN_STATES)
      if ((await database.find('linkExchanges', 'state', [LINK.name, state], { limit: 1 })).length > 0)
        return false;
    return true;
  }

  /** The settlement days on which the host has moved money. */
  async movedDays(): Promise<ReadonlySet<number>> {
    const { store } = this.#deps.host;
    const transactions = await store.transactions();
    const moving = transactions.filter(({ approved, kind }) => approved === 1 && !HOLDS.has(kind));
    const messages = new Set(moving.map(({ message }) => message));
    const reversals = (await store.reversals()).filter(
      ({ original, reversedMinor }) => reversedMinor > 0 && messages.has(original),
    );
    return new Set([...moving, ...reversals].map(({ day }) => Number(day)));
  }

  /**
   * Whether the host has taken something on its current settlement day, money or a hold: what it carried out without an answer is found once the day
   * has ended, and a hold stands in no totals.
   */
  async hasTakenToday(): Promise<boolean> {
    const { host } = this.#deps;
    const day = await host.day();
    const isOfToday = (row: { readonly day: string }): boolean => row.day === day;
    const taken = (await host.store.transactions()).some((row) => isOfToday(row) && row.approved === 1);
    return taken || (await this.movedDays()).has(Number(day));
  }

  /** Whether the totals of every day with money have been compared, and are the same. */
  async isCompared(): Promise<boolean> {
    const rows = await allRows(this.#deps.database, 'linkTotals');
    const days = new Set(rows.map(({ day }) => day));
    const moved = [...(await this.movedDays())];
    return rows.every(({ state }) => state === 'equal') && moved.every((day) => days.has(day));
  }

  /** Compares exchanges and totals with the ledger of the host, when all is quiet. */
  async check(reported: ReportedRequests): Promise<void> {
    const { database, host, breach } = this.#deps;
    const journal = new StoreLinkJournal({ store: database, acquirer: LINK.name });
    const record = new LinkRecord(LINK.name, journal);
    const taken = new Map(
      (await host.store.transactions()).map(({ message, amountMinor, reversedMinor }) => [
        message,
        amountMinor - reversedMinor,
      ]),
    );
    const believed = new Set<string>();
    for (const { reference, request, state } of await allRows(database, 'linkExchanges')) {
      if (request === null) continue;
      if (OPEN_STATES.some((open) => open === state)) breach(`${reference} never ends: it is ${state}`);
      const minor = await record.standing(reference);
      const name = messageKey(JSON.parse(request));
      const theirs = taken.get(name) ?? 0;
      if (minor !== theirs) breach(`the link believes in ${minor} of ${reference}, the host in ${theirs}`);
      if (minor > 0) believed.add(reference);
      taken.delete(name);
    }
    for (const [name, minor] of taken)
      if (minor > 0) breach(`the host has taken ${name}, and the link knows nothing of it`);
    for (const reference of reported.approved)
      if (!believed.has(reference)) breach(`${reference} was reported as approved, and is nowhere`);
    for (const reference of reported.givenUp)
      if (believed.has(reference)) breach(`${reference} was given up, and the link believes in it`);
    for (const reference of reported.takenBack)
      if (believed.has(reference)) breach(`${reference} was reversed, and some of it stands`);
    await this.#checkTotals();
  }

  /** Imports the files of the host, and compares them with the exchanges as the consistency check does. Goes by no clock. */
  async checkFiles(): Promise<void> {
    const { database: store, host, clock, random, breach } = this.#deps;
    await store.commit([merchant(ENTITY, 'Linked')]);
    const deps = { store, clock, random };
    await setAccount({ ...deps, actor: 'simulation' }, ENTITY, { clearingMerchantId: MERCHANT_NUMBER });
    for (const [day, text] of host.files) {
      const hostLines = new HostLines({ store, clock, acquirer: LINK.name });
      const faults: string[] = [];
      const reportLine = (line: number, what: string): void => void faults.push(`${line}: ${what}`);
      const book = () => Promise.reject(new Error('no chargeback is in the file'));
      const imported = { ...deps, reportLine, chargebacks: { book }, hostLines };
      const { wrong } = await importFile(imported, Readable.from([text]), STANDARD_FORM);
      if (wrong > 0) breach(`the file of ${day} cannot be read, line ${faults.join(', line ')}`);
      await hostLines.end(Number(day));
    }
    const check = new InvariantCheck({ store, records: [], clock, log: SILENT });
    await check.full();
    for (const { kind, subject, detail } of check.known.list())
      breach(`${kind} ${nameOf(subject)}: ${detail}`);
  }

  async #checkTotals(): Promise<void> {
    const { database, breach } = this.#deps;
    const rows = await allRows(database, 'linkTotals');
    for (const { day, state, ours, theirs } of rows)
      if (state !== 'equal') breach(`the totals of ${day} are ${state}: ${ours} here, ${theirs} there`);
    for (const day of await this.movedDays())
      if (!rows.some((row) => row.day === day)) breach(`the totals of ${day} were never compared`);
  }
}
