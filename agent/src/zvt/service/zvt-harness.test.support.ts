import { pino } from 'pino';
import { TILL_RIGHTS, type TillRight } from '../../access/rights.js';
import { DEFAULT_STORE } from '../../sale/receipts/store.js';
import { type HarnessOptions, SaleHarness } from '../../sale/sale-harness.test.support.js';
import { type Apdu, ApduReader, encodeApdu } from '../messages/apdu.js';
import { toBcd } from '../messages/bcd.js';
import { type Bitmaps, field, readBitmaps } from '../messages/bitmaps.js';
import { ZvtRequests } from '../requests/zvt-requests.js';
import { Conversation } from '../server/conversation.js';
import { RegistrationMemory } from '../server/registration-memory.js';
import { PasswordGuard } from './password-guard.js';
import type { ZvtTill } from './ports.js';
import { isOpen } from './sale-reports.js';
import { ZvtService } from './zvt-service.js';

export const PASSWORD = '000000';
export const REPEAT_MS = 600_000;
export const REGISTRATION_MS = 3_600_000;

/** The bits of a registration: receipts to the till, its printer, intermediate states. */
export const CONFIG = { silent: 0x30, prints: 0xb6, intermediate: 0x38 } as const;

/** An agent whose tills speak ZVT: the real sale service on a memory disk and a virtual clock. */
export class ZvtHarness {
  readonly sale: SaleHarness;
  service: ZvtService;
  /** Of this process. */
  requests!: ZvtRequests;
  /** Of this process. */
  registrations: RegistrationMemory;
  refusals: string[] = [];
  #connections = 0;

  constructor(options?: HarnessOptions) {
    this.sale = new SaleHarness(options);
    this.registrations = this.#newMemory();
    this.service = this.#newService();
  }

  async boot(): Promise<this> {
    await this.sale.boot();
    this.service = this.#newService();
    return this;
  }

  /** `kill -9`, then a new process on the same disk. */
  async crash(): Promise<void> {
    await this.sale.crash();
    this.registrations = this.#newMemory();
    this.service = this.#newService();
  }

  /** A till that connects, and registers with a configuration byte; from a new address where none is given. */
  async till(
    config: number | 'unregistered' = CONFIG.silent,
    {
      till = 'till-1',
      rights = TILL_RIGHTS,
      peer = `peer ${this.#connections++}`,
    }: { readonly till?: string; readonly rights?: readonly TillRight[]; readonly peer?: string } = {},
  ): Promise<TestTill> {
    const made = new TestTill(this, { till, terminalId: '11', rights }, peer);
    if (config !== 'unregistered') {
      made.send(registration(config));
      await this.sale.clock.advance(0);
      made.acknowledge();
      made.received.length = 0;
    }
    return made;
  }

  #newMemory(): RegistrationMemory {
    return new RegistrationMemory(this.sale.clock, REGISTRATION_MS);
  }

  #newService(): ZvtService {
    const { clock, journal, runner } = this.sale;
    const { service: sales } = runner;
    const log = pino({ level: 'silent' });
    this.requests = new ZvtRequests({
      journal,
      clock,
      repeatMs: REPEAT_MS,
      isOpen: async (reference) => {
        const answer = await sales.get(reference).catch(() => undefined);
        return answer !== undefined && isOpen(answer);
      },
    });
    const store = { ...DEFAULT_STORE, name: 'Shop' };
    return new ZvtService({
      sales,
      requests: this.requests,
      store,
      currency: 'EUR',
      merchantId: 'SHOP',
      version: '1',
      clock,
      log,
    });
  }
}

/** A till at its end of the line. It acknowledges what it is sent, unless `answers` states otherwise. */
export class TestTill {
  /** What came, acknowledgements of its own requests among them. */
  readonly received: Apdu[] = [];
  /** How each message is answered: 80 00 by default; `undefined` is silence. */
  answers: (message: Apdu) => Apdu | undefined = () => ACKNOWLEDGEMENT;
  isHungUp = false;
  /** The end of its request that it has acknowledged. */
  end: Apdu | undefined;
  readonly #harness: ZvtHarness;
  readonly #conversation: Conversation;

  constructor(harness: ZvtHarness, till: ZvtTill, peer: string) {
    this.#harness = harness;
    const { clock } = harness.sale;
    const reader = new ApduReader();
    const sales = harness.sale.runner.service;
    const { registrations } = harness;
    this.#conversation = new Conversation({
      till,
      service: harness.service,
      password: new PasswordGuard(PASSWORD, clock),
      clock,
      recallRegistration: () => registrations.recall(peer),
      keepRegistration: (registration) => registrations.keep(peer, registration),
      send: (bytes) => {
        for (const apdu of reader.push(bytes)) this.#take(apdu);
      },
      hangUp: () => this.disconnect(),
      onEvent: (listener) => sales.onEvent(listener),
      refused: (code) => harness.refusals.push(code),
      fault: (error) => harness.sale.faults.push(error),
    });
  }

  send(apdu: Apdu): void {
    // As it comes over the line.
    for (const each of new ApduReader().push(encodeApdu(apdu))) this.#conversation.received(each);
  }

  acknowledge(): void {
    this.send(ACKNOWLEDGEMENT);
  }

  disconnect(): void {
    this.isHungUp = true;
    this.#conversation.closed();
  }

  /** Sends a request and lets time go on until it is the till's turn again. */
  async request(apdu: Apdu, forMs = 300_000): Promise<readonly Apdu[]> {
    this.received.length = 0;
    this.end = undefined;
    this.send(apdu);
    const { clock } = this.#harness.sale;
    for (let spent = 0, pause = 50; spent < forMs; spent += pause) {
      // Short while a sale runs, long while it waits.
      pause = spent < 2_000 ? 50 : 1_000;
      await clock.advance(0);
      if (this.isHungUp || this.received.some(({ control }) => isTurn(control))) break;
      await clock.advance(pause);
    }
    // What the acknowledgement of the last message set off.
    await clock.advance(0);
    return this.received;
  }

  /** The same; the status information and the code of the end. */
  async outcome(apdu: Apdu): Promise<Outcome> {
    const messages = await this.request(apdu);
    const status = messages.find(({ control }) => control === 0x040f);
    const end = messages.at(-1);
    const fields = status && readBitmaps(status.data);
    return {
      control: end?.control ?? 0,
      ...(end?.control === 0x061e && { code: end.data[0] ?? 0 }),
      ...(fields && { fields }),
      ...(fields?.get(0x87) && { receipt: Number(hexOf(fields, 0x87)) }),
    };
  }

  #take(apdu: Apdu): void {
    this.received.push(apdu);
    if (apdu.control >>> 8 === 0x80 || apdu.control >>> 8 === 0x84) return;
    const answer = this.answers(apdu);
    // After the conversation has done with what it sends.
    if (!answer) return;
    queueMicrotask(() => {
      if (this.isHungUp) return;
      if (isTurn(apdu.control) && answer === ACKNOWLEDGEMENT) this.end = apdu;
      this.send(answer);
    });
  }
}

/** How a request ended for the till. */
export interface Outcome {
  /** 060F, 061E, or 84xx. */
  readonly control: number;
  readonly code?: number;
  readonly fields?: Bitmaps;
  readonly receipt?: number;
}

export const ACKNOWLEDGEMENT: Apdu = { control: 0x8000, data: Buffer.alloc(0) };

/** A field as hex digits. */
export function hexOf(fields: Bitmaps | undefined, bitmap: number): string {
  return Buffer.from(fields?.get(bitmap) ?? []).toString('hex');
}

export function registration(config: number, password = PASSWORD, more = '0978'): Apdu {
  return {
    control: 0x0600,
    data: Buffer.from(`${password}${config.toString(16).padStart(2, '0')}${more}`, 'hex'),
  };
}

export function authorization(minor: number, more: Uint8Array = Buffer.alloc(0)): Apdu {
  return { control: 0x0601, data: Buffer.concat([field(0x04, toBcd(minor, 6)), more]) };
}

export function reservation(minor: number, more: Uint8Array = Buffer.alloc(0)): Apdu {
  return { ...authorization(minor, more), control: 0x0622 };
}

/** A booking (06 24), a partial reversal (06 23) or a reversal (06 25) of a reservation. */
export function ofReservation(control: 0x0623 | 0x0624 | 0x0625, receipt: number, minor?: number): Apdu {
  const amount = minor === undefined ? [] : [field(0x04, toBcd(minor, 6))];
  return { control, data: Buffer.concat([field(0x87, toBcd(receipt, 2)), ...amount]) };
}

export function refund(minor: number): Apdu {
  return {
    control: 0x0631,
    data: Buffer.concat([Buffer.from(PASSWORD, 'hex'), field(0x04, toBcd(minor, 6))]),
  };
}

export function reversal(receipt: number): Apdu {
  return {
    control: 0x0630,
    data: Buffer.concat([Buffer.from(PASSWORD, 'hex'), field(0x87, toBcd(receipt, 2))]),
  };
}

/** A request that is a password alone. */
export function withPassword(control: number, password = PASSWORD): Apdu {
  return { control, data: Buffer.from(password, 'hex') };
}

/** Whether a message gives the till its turn, or refuses its request. */
function isTurn(control: number): boolean {
  return control === 0x060f || control === 0x061e || (control >>> 8 === 0x84 && control !== 0x8400);
}
