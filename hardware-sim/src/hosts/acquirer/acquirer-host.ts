import { createSecretKey } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { createFile, replaceFile } from '@tillbridge/platform/write-file.js';
import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { readZoneKey, type ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import { HostIssuer } from './issuer/issuer.js';
import { HostKeys } from './keys/host-keys.js';
import type { HostMacMethod, KeyForm } from './keys/key-names.js';
import { HostDatabase } from './ledger/host-database.js';
import { HostLedger } from './ledger/host-ledger.js';
import type { HostStore } from './ledger/host-store.js';
import { chargebackFile, settlementFile } from './ledger/settlement-files.js';
import { HostFaults } from './line/host-faults.js';
import type { ResponseRule } from './line/host-rules.js';
import { type HostLine, HostSession } from './line/host-session.js';
import type { TransactionRow } from './rows/tables.js';

const HASH_KEY_BYTES = 32;
const FILES = {
  database: 'host.db',
  hashKey: 'card-hash.key',
  keys: 'keys.json',
  settlements: 'settlement',
} as const;

/** What a host is made with. */
export interface AcquirerHostDeps extends Seams {
  /** Its folder, which belongs to this process alone. */
  readonly home: string;
  readonly dialect: Dialect;
  /** What its ledger is kept in; a database in its folder when absent. */
  readonly store?: HostStore;
  /** Codes by DUKPT under this key set, ten hex digits of TDES or eight of AES; under the zone MAC key when absent. */
  readonly macKeySet?: string;
  /** How codes are made under the zone MAC key, algorithm 3 when absent; `none`: messages have none. */
  readonly macMethod?: HostMacMethod | 'none';
  /** How it sends keys that gateways ask for; in key blocks when absent. */
  readonly keyForm?: KeyForm;
  /** What came that is no message of a gateway. */
  readonly onBad?: (reason: string) => void;
  readonly onFault?: (error: unknown) => void;
}

/** A chargeback that is to happen. */
export interface WantedChargeback {
  /** Message of the sale or capture. */
  readonly message: string;
  readonly amountMinor: number;
  readonly reason: string;
}

/** An acquirer and issuer behind ISO 8583: what it has decided is in its own database before it answers. */
export class AcquirerHost {
  readonly database: HostStore;
  readonly faults = new HostFaults();
  readonly keys: HostKeys;
  readonly #sessions = new Set<HostSession>();
  readonly #deps: AcquirerHostDeps;
  readonly #line: HostLine;
  readonly #ledger: HostLedger;
  #rules: readonly ResponseRule[] = [];
  #badMessages = 0;

  private constructor(deps: AcquirerHostDeps, database: HostStore) {
    const { clock, random, home, dialect, macMethod = 'iso9797Algorithm3' } = deps;
    this.#deps = deps;
    this.database = database;
    const hashKey = createSecretKey(hashKeyOf(join(home, FILES.hashKey), random));
    this.keys = HostKeys.open(join(home, FILES.keys), {
      clock,
      random,
      ...(deps.macKeySet !== undefined && { macKeySet: deps.macKeySet }),
      ...(macMethod !== 'none' && { macMethod }),
    });
    this.#ledger = new HostLedger({ database, issuer: new HostIssuer(this.keys), hashKey, clock, random });
    this.#line = {
      dialect,
      keys: this.keys,
      hasCodes: macMethod !== 'none',
      keyForm: () => deps.keyForm ?? 'tr31',
      ledger: this.#ledger,
      faults: this.faults,
      rules: () => this.#rules,
      clock,
      cutOver: (over) => this.cutOver(over),
      onBad: (reason) => this.refuse(reason),
      onFault: (error) => deps.onFault?.(error),
    };
  }

  /** Opens the host on its folder. @throws DatabaseError, or the file system's error */
  static async open(deps: AcquirerHostDeps): Promise<AcquirerHost> {
    mkdirSync(join(deps.home, FILES.settlements), { recursive: true, mode: 0o700 });
    const store = deps.store ?? (await HostDatabase.open(join(deps.home, FILES.database)));
    return new AcquirerHost(deps, store);
  }

  /** Messages that were none of a gateway's. */
  get badMessages(): number {
    return this.#badMessages;
  }

  /** Counts and logs what came that is no message of a gateway. */
  refuse(reason: string): void {
    this.#badMessages += 1;
    this.#deps.onBad?.(reason);
  }

  get rules(): readonly ResponseRule[] {
    return this.#rules;
  }

  /** Puts rules in the place of those before. */
  replaceRules(rules: readonly ResponseRule[]): void {
    this.#rules = rules;
  }

  /** Talks to a gateway until the pipe ends. */
  talk(pipe: BytePipe): void {
    const session = new HostSession(this.#line, pipe);
    this.#sessions.add(session);
    session.onEnd(() => this.#sessions.delete(session));
  }

  /** Sends a gateway that has signed on a new key; false where none is there, or it does not take the key. */
  async sendKey(use: ZoneKeyUse, form: KeyForm): Promise<boolean> {
    const answer = await this.#signedOn?.ask({ network: 'key-exchange', ...this.keys.offer(use, form) });
    const { responseCode, zoneKey } = answer ?? {};
    if (responseCode !== '00' || zoneKey === undefined) return false;
    return this.keys.confirm(use, readZoneKey(zoneKey).kcv);
  }

  /** Closes the settlement day and notifies a gateway that has signed on. @returns the next day */
  async announceCutOver(): Promise<string> {
    const settlementDate = await this.cutOver();
    void this.#signedOn?.ask({ network: 'cut-over', settlementDate });
    return settlementDate;
  }

  get #signedOn(): HostSession | undefined {
    return [...this.#sessions].find(({ isSignedOn }) => isSignedOn);
  }

  /** The current settlement day. */
  day(): Promise<string> {
    return this.database.exclusively(() => this.#ledger.day());
  }

  /**
   * Closes the settlement day, writes its files and begins the next one, which it returns.
   * @param over the day that is to be closed: where it was closed before, nothing happens
   */
  cutOver(over?: string): Promise<string> {
    const { home } = this.#deps;
    return this.#ledger.cutOver(over, (settled) => {
      const file = (kind: string) => join(home, FILES.settlements, `${kind}-${settled.day}.csv`);
      replaceFile(file('settlement'), settlementFile(settled));
      replaceFile(file('chargebacks'), chargebackFile(settled));
    });
  }

  /** Takes money of a sale or capture back; false where less is left, or the ledger has no such message. */
  chargeBack({ message, amountMinor, reason }: WantedChargeback): Promise<boolean> {
    const { database } = this;
    return database.exclusively(async () => {
      const row = await database.transaction(message);
      const isMoney = row?.approved === 1 && (row.kind === 'sale' || row.kind === 'capture');
      if (!row || !isMoney || amountMinor <= 0 || amountMinor > leftOf(row)) return false;
      await database.changeTransaction({ ...row, chargedBackMinor: row.chargedBackMinor + amountMinor });
      const account = row.card === null ? undefined : await database.account(row.card, row.currency);
      if (account)
        await database.putAccount({ ...account, balanceMinor: account.balanceMinor + amountMinor });
      const [day, atMs] = [await this.#ledger.day(), this.#deps.clock.nowMs()];
      await database.addChargeback({ original: message, amountMinor, reason, day, atMs });
      return true;
    });
  }

  /** Sets the balance of an account; false where there is none. */
  setBalance(card: string, currency: string, balanceMinor: number): Promise<boolean> {
    const { database } = this;
    return database.exclusively(async () => {
      const account = await database.account(card, currency);
      if (account) await database.putAccount({ ...account, balanceMinor });
      return account !== undefined;
    });
  }

  /** Closes the database. */
  close(): Promise<void> {
    return this.database.close();
  }
}

function leftOf({ amountMinor, refundedMinor, reversedMinor, chargedBackMinor }: TransactionRow): number {
  return amountMinor - refundedMinor - reversedMinor - chargedBackMinor;
}

/** The key of the hashes of card numbers, made at the first start. */
function hashKeyOf(file: string, random: Random): Buffer {
  const known = readIfThere(file);
  if (known) return known;
  const key = Buffer.from(random.bytes(HASH_KEY_BYTES));
  createFile(file, key);
  return key;
}
