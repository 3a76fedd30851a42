import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { TrialReport } from '@tillbridge/gateway/app/commands/acquirers/trial/trial-report.js';
import { nameOf } from '@tillbridge/gateway/app/ledger-check/difference.js';
import { InvariantCheck } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import type { Acquirer, AcquirerCard } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { AcquirerConfig } from '@tillbridge/gateway/core/acquirers/configuration/acquirer-section.js';
import { LinkRecord } from '@tillbridge/gateway/core/acquirers/iso8583/journal/link-record.js';
import { StoreLinkJournal } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-link-journal.js';
import { tappedHost } from '@tillbridge/gateway/core/acquirers/iso8583/trial/tapped-host.js';
import { runTrial } from '@tillbridge/gateway/core/acquirers/iso8583/trial/trial.js';
import { type OpenLink, openLink } from '@tillbridge/gateway/core/acquirers/open/open-links.js';
import { Chargebacks } from '@tillbridge/gateway/core/payments/chargebacks/chargebacks.js';
import { cardOfReference } from '@tillbridge/gateway/core/payments/lookup/card-of-reference.js';
import {
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  QUIET,
  storeOf,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { GatewayPaymentService } from '@tillbridge/gateway/core/payments/service.js';
import type { PaymentContext } from '@tillbridge/gateway/core/payments/steps/payment-context.js';
import { STANDARD_FORM } from '@tillbridge/gateway/features/settlement/import/csv-form.js';
import { HostLines } from '@tillbridge/gateway/features/settlement/import/host-lines.js';
import { importFile } from '@tillbridge/gateway/features/settlement/import/import-file.js';
import { newId } from '@tillbridge/gateway/kernel/store/new-id.js';
import type { LinkExchangeRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { LinkCheckpoint } from '@tillbridge/gateway/security/restored-database/restore-watch.js';
import { RowSeal } from '@tillbridge/gateway/security/vault/row-seal.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import {
  AcquirerHost,
  type AcquirerHostDeps,
} from '@tillbridge/hardware-sim/hosts/acquirer/acquirer-host.js';
import type { HostFault } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { packCoded, unpackCoded } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { framed, MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';

/** Time that an answer may take, in virtual milliseconds. */
const ANSWER_TIMEOUT_MS = 20_000;
const TURN_MS = 500;
/** Turns of virtual time until everything must have ended. */
const MOST_TURNS = 4_000;
/** A message and its answer take so many turns at most, with a commit of the host in between. */
const ROUNDS_TO_REST = 8;
/** Lines that a link makes while some time passes, where its host answers. */
const MOST_CONNECTIONS = 100;
/** How long real databases are waited for when virtual time goes on no more, in milliseconds. */
const MOST_MS = 60_000;

export const EXTERNAL: AcquirerConfig = {
  name: 'EXTERNAL',
  hosts: '127.0.0.1:1',
  dialect: '1987-binary',
  acquirerId: '12345',
  followUps: 'card',
  macMethod: 'iso9797Algorithm3',
  connections: 2,
  connectTimeoutMs: 1_000,
  answerTimeoutMs: ANSWER_TIMEOUT_MS,
  echoAfterMs: 3_600_000,
};

/** The merchant at the acquirer. */
export const MERCHANT = {
  merchantId: 'MERCHANT-1',
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Corner shop',
  city: 'Berlin',
  country: 'DE',
} as const;

/** The gateway's payments on a link to a real acquirer host, over pipes in memory and on virtual time. */
export class LinkedGateway {
  readonly harness: PaymentHarness;
  readonly bad: string[] = [];
  readonly late: string[] = [];
  /** How many parameters did not fit into messages. */
  readonly leftOut: number[] = [];
  /** Takes what passes over the line, and what the link reports, while a trial runs. */
  report: TrialReport | undefined;
  /** Exchanges whose follow-ups named no card. */
  readonly withoutCard: string[] = [];
  host: AcquirerHost;
  hostIsUp = true;
  service: GatewayPaymentService;
  /** Of the host. */
  readonly folder: string;
  readonly #dialect: Dialect;
  readonly #mode: 'test' | 'live';
  readonly #config: AcquirerConfig;
  /** What the gateway remembers outside of its database. */
  readonly checkpoint = memoryCheckpoint();
  /** Messages of the gateway that reached the host, in their order. */
  readonly sent: ExchangeMessage[] = [];
  /** Their authentication codes. */
  readonly codes: (Buffer | undefined)[] = [];
  /** What the codes cover. */
  readonly covered: Buffer[] = [];
  readonly #nears: BytePipe[] = [];
  #lines: BytePipe[] = [];
  #link: OpenLink;

  private constructor(
    folder: string,
    parts: Pick<LinkedGateway, 'harness' | 'host'>,
    { config, mode }: { readonly config: AcquirerConfig; readonly mode: 'test' | 'live' },
  ) {
    this.#mode = mode;
    this.#config = config;
    this.folder = folder;
    this.#dialect = dialectOf(config);
    this.harness = parts.harness;
    this.host = parts.host;
    this.#link = undefined as unknown as OpenLink;
    this.service = parts.harness.service;
  }

  static async open(
    dialect: AcquirerConfig['dialect'] = '1987-binary',
    mode: 'test' | 'live' = 'test',
    more: Partial<AcquirerConfig> = {},
    ofHost: Partial<AcquirerHostDeps> = {},
  ): Promise<LinkedGateway> {
    const folder = mkdtempSync(join(tmpdir(), 'linked-gateway-'));
    const harness = await openPaymentHarness(storeOf('memory'));
    const { clock, store } = harness;
    const host = await AcquirerHost.open({
      ...hostOptions({ ...EXTERNAL, dialect, ...more }, folder),
      ...ofHost,
      clock,
      random: seededRandom(3),
    });
    const routes = JSON.stringify([{ acquirer: EXTERNAL.name, merchant: MERCHANT }]);
    const row = { entityId: ENTITY, testMode: 'EXTERNAL', routes, version: 1 } as const;
    await store.commit([{ op: 'insert', table: 'acquirerRouting', row }]);
    const gateway = new LinkedGateway(
      folder,
      { harness, host },
      { config: { ...EXTERNAL, dialect, ...more }, mode },
    );
    await gateway.startGateway();
    return gateway;
  }

  /** Begins a process of the gateway on the same store. */
  async startGateway(): Promise<void> {
    const { store, clock } = this.harness;
    this.#link = await openLink(
      this.#config,
      {
        store,
        clock,
        security: this.harness.context.security,
        mode: this.#mode,
        standIn: {
          seal: new RowSeal(this.harness.dataKeys),
          fingerprint: this.harness.context.fingerprint,
        },
        cardOf: (reference) => cardOfReference(this.harness.context, reference),
        checkpointOf: () => this.checkpoint,
        observerOf: () => ({
          bad: (reason) => {
            this.bad.push(reason);
            this.report?.link.bad(reason);
          },
          lateApproval: (reference) => this.late.push(reference),
          detailsLeftOut: (_, count) => this.leftOut.push(count),
          withoutCard: (reference) => this.withoutCard.push(reference),
          notWritten: () => undefined,
          fault: (error) => {
            throw error;
          },
        }),
      },
      [
        tappedHost(() => this.#connect(), this.#dialect.line, {
          message: (...message) => this.report?.message(...message),
          note: (text) => this.report?.note(text),
        }),
      ],
    );
    const links: ReadonlyMap<string, Acquirer> = new Map([[EXTERNAL.name, this.#link.acquirer]]);
    const context: PaymentContext = { ...this.harness.context, links, mode: this.#mode };
    this.service = new GatewayPaymentService(context);
  }

  /** Tries the link with a sale of EUR 0.01; whether every step passed. */
  async try(card: AcquirerCard): Promise<boolean> {
    this.report = new TrialReport({ dialect: this.#dialect, clock: this.harness.clock });
    const amount = { minor: 1, currency: 'EUR' };
    const sale = { reference: newId(systemRandom), amount, card, merchant: MERCHANT };
    return this.settled(runTrial(this.#link.trial, sale, this.report));
  }

  /** Compares the totals of days that are over with the host, where that is due. */
  compareTotals(): Promise<void> {
    return this.#link.compareTotals();
  }

  /** Imports a settlement file of the host, that of a day or another one, as that of the link. @returns the faults of its rows */
  async importSettlement(day: string, change: (text: string) => string = (text) => text): Promise<string[]> {
    const { store, clock, context, alerts } = this.harness;
    const text = change(readFileSync(join(this.folder, 'settlement', `settlement-${day}.csv`), 'utf8'));
    const faults: string[] = [];
    const hostLines = new HostLines({ store, clock, acquirer: EXTERNAL.name });
    const reportLine = (line: number, what: string): void => void faults.push(`${line}: ${what}`);
    const chargebacks = new Chargebacks({ context, alerts });
    const parts = { store, clock, random: systemRandom, reportLine, chargebacks, hostLines };
    await importFile(parts, Readable.from([text]), STANDARD_FORM);
    await hostLines.end(Number(day));
    return faults;
  }

  /** Requests new keys from the host. */
  exchangeKeys(): Promise<boolean> {
    return this.#link.exchangeKeys();
  }

  /**
   * Ends the process as a power cut does: nothing of it reaches the host, and a new one begins.
   * @param afterMs how long there is none: of days without a line, no message waits for the real database of the host
   */
  async restartGateway(afterMs = 0): Promise<void> {
    for (const line of this.#lines.splice(0)) await line.close();
    await this.#link.close();
    await this.harness.clock.advance(afterMs);
    await this.startGateway();
  }

  async restartHost(): Promise<void> {
    await this.cutOff();
    await this.host.close();
    const { clock } = this.harness;
    this.host = await AcquirerHost.open({
      ...hostOptions(this.#config, this.folder),
      clock,
      random: seededRandom(4),
    });
    this.hostIsUp = true;
  }

  /** Ends the lines to the host; no other can be made until {@link hostIsUp}. */
  async cutOff(): Promise<void> {
    this.hostIsUp = false;
    for (const line of this.#lines.splice(0)) await line.close();
  }

  strike(...faults: readonly (Pick<HostFault, 'name'> & Partial<HostFault>)[]): void {
    const preset = { skip: 0, times: 1, delayMs: ANSWER_TIMEOUT_MS + 10_000 };
    this.host.faults.replace(faults.map((fault) => ({ ...preset, ...fault })));
  }

  /** Lets virtual time go on until a promise is settled. */
  async settled<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => undefined);
    await this.until(async () => isOver);
    return over;
  }

  /** Lets virtual time go on until something is true. */
  async until(isTrue: () => Promise<boolean>): Promise<void> {
    const endMs = performance.now() + MOST_MS;
    for (let i = 0; performance.now() < endMs; i += 1) {
      if (await isTrue()) return;
      // A host that is restarted has nothing to wait for.
      await this.host.database.exclusively(async () => undefined).catch(() => undefined);
      await turn();
      if (i < MOST_TURNS && !(await isTrue())) await this.harness.clock.advance(TURN_MS);
    }
    throw new Error('it did not come true');
  }

  /**
   * Lets some time pass, from one timer to the next. Between two of them the real database of the host comes to rest: time that goes on
   * without it runs into each timeout of the link, which connects anew, some ten thousand times a day. Days pass in {@link restartGateway}.
   */
  async pass(ms: number): Promise<void> {
    const { clock } = this.harness;
    const endMs = clock.monotonicMs() + ms;
    const most = this.#nears.length + MOST_CONNECTIONS;
    let known = 0;
    for (let leftMs = ms; leftMs > 0; leftMs = endMs - clock.monotonicMs()) {
      const came = this.#nears.length + this.sent.length;
      const rounds = came === known ? 1 : ROUNDS_TO_REST;
      known = came;
      for (let round = 0; round < rounds; round += 1) {
        await this.host.database.exclusively(async () => undefined);
        await turn();
      }
      if (this.#nears.length > most)
        throw new Error('time goes on without the host: the link connects anew for ever');
      await clock.advance(Math.min(leftMs, clock.nextTimerInMs() ?? leftMs));
    }
  }

  /** Sends bytes over the last line, as if the host had. */
  async sendToGateway(message: Buffer): Promise<void> {
    await this.#lines.at(-1)?.write(framed(message, this.#dialect.line));
  }

  /** Sends bytes over the last line, as if the gateway had. */
  async sendToHost(message: Buffer): Promise<void> {
    await this.#nears.at(-1)?.write(framed(message, this.#dialect.line));
  }

  /** A message that was lost reaches the host after all. It approves whatever was reversed, and the line ends before its answer comes. */
  async arrivesUnanswered(lost: ExchangeMessage): Promise<void> {
    const { bytes, covered, putCode } = packCoded(this.#dialect, lost);
    putCode(retailMac(developmentKey('zoneMacKey'), covered, 'iso9797Method1'));
    const before = (await this.host.database.transactions()).length;
    this.strike({ name: 'approve-after-reversal' });
    await this.sendToHost(bytes);
    await this.cutOff();
    this.hostIsUp = true;
    await this.until(async () => (await this.host.database.transactions()).length > before);
  }

  exchanges(): Promise<readonly LinkExchangeRow[]> {
    return this.harness.store.findAfter('linkExchanges', undefined);
  }

  /** Resolves what is open, until nothing is any more; then payments, journal and host agree. */
  async differences(): Promise<string[]> {
    const { store, clock } = this.harness;
    await this.until(async () => {
      const open = (await this.exchanges()).filter(
        ({ state }) => state !== 'answered' && state !== 'reversed',
      );
      const intents = await store.find('intents', 'state', ['open']);
      if (intents.length > 0) void this.service.resolveOpen();
      return intents.length === 0 && open.every(({ state }) => state === 'sent');
    });
    const record = new LinkRecord(EXTERNAL.name, new StoreLinkJournal({ store, acquirer: EXTERNAL.name }));
    const check = new InvariantCheck({ store, records: [record], clock, log: QUIET });
    await check.full();
    const found = check.known
      .list()
      .map(({ kind, subject, detail }) => `${kind} ${nameOf(subject)} ${detail}`);
    return [...found, ...(await this.#hostDifferences(record))];
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.#link.close();
    this.harness.mayDiffer = true;
    await this.harness.dispose();
    await this.host.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Where the host's ledger has other amounts than the journal of the link. */
  async #hostDifferences(record: LinkRecord): Promise<string[]> {
    const rows = await this.host.database.transactions();
    const found: string[] = [];
    const known = new Set<string>();
    for (const { reference, request } of await this.exchanges()) {
      if (request === null) continue;
      const { terminalId, stan, at } = JSON.parse(request);
      const message = `${terminalId}/${stan}/${at}`;
      known.add(message);
      const row = rows.find((each) => each.message === message);
      const ours = await record.standing(reference);
      // What stays of an authorization is what was captured and what is still held.
      const theirs = row ? row.amountMinor - row.reversedMinor : 0;
      if (ours !== theirs) found.push(`${message}: ${ours} here, ${theirs} at the host`);
    }
    for (const { message } of rows) if (!known.has(message)) found.push(`${message}: only at the host`);
    return found;
  }

  async #connect(): Promise<BytePipe> {
    if (!this.hostIsUp) throw new Error('no route');
    const [near, far] = memoryPipe('line');
    this.#lines.push(far);
    this.#nears.push(near);
    const frames = new MessageFrames(undefined, this.#dialect.line);
    far.onData((chunk) => {
      for (const bytes of frames.push(chunk)) {
        const { message, covered, mac } = unpackCoded(this.#dialect, bytes, this.harness.clock.nowMs());
        this.sent.push(message);
        this.codes.push(mac);
        this.covered.push(Buffer.from(covered));
      }
    });
    this.host.talk(far);
    return near;
  }
}

/** A checkpoint that outlives the database. */
function memoryCheckpoint(): LinkCheckpoint {
  let last: number | undefined;
  return {
    last: () => last,
    note: (sequence) => {
      last = Math.max(last ?? 0, sequence);
    },
  };
}

function dialectOf({ dialect, dialectChanges }: AcquirerConfig): Dialect {
  return configuredDialect(dialect, dialectChanges);
}

function hostOptions(config: AcquirerConfig, home: string) {
  const { macKeySet, macMethod } = config;
  return {
    home,
    dialect: dialectOf(config),
    macMethod,
    ...(macKeySet !== undefined && { macKeySet }),
  };
}
