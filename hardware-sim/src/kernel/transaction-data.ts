import type { RsaPublicKey } from '@tillbridge/wire/crypto/emv/rsa-recovery.js';
import { TSI_BYTES, TVR_BYTES } from '@tillbridge/wire/emv/bit-fields.js';
import type { Bit } from '@tillbridge/wire/emv/bits.js';
import { setBit } from '@tillbridge/wire/emv/bits.js';
import { buildDol } from '@tillbridge/wire/emv/dol.js';
import type { KernelDecision } from './decision.js';
import { KernelError } from './kernel-error.js';

/** Receives each decision when it is made, with the data of its transaction as they are then. */
export type DecisionWatcher = (decision: KernelDecision, data: TransactionData) => void;

/** Every data object of one transaction, from terminal, card and host. */
export class TransactionData {
  readonly #values = new Map<string, Uint8Array>();
  readonly #tvr = Buffer.alloc(TVR_BYTES);
  readonly #tsi = Buffer.alloc(TSI_BYTES);
  readonly #onDecision: DecisionWatcher | undefined;

  /** @param onDecision receives why bits are set and what else is decided */
  constructor(onDecision?: DecisionWatcher) {
    this.#onDecision = onDecision;
    this.#values.set('95', this.#tvr);
    this.#values.set('9B', this.#tsi);
  }

  /** The value of a tag; undefined when it is absent. TVR (95) and TSI (9B) are always there. */
  get(tag: string): Uint8Array | undefined {
    return this.#values.get(tag);
  }

  /** A value that must be there by now. @throws KernelError card-data-invalid */
  require(tag: string): Uint8Array {
    const value = this.#values.get(tag);
    if (value === undefined) throw new KernelError('card-data-invalid', `the card has no ${tag}`);
    return value;
  }

  /** Gives or replaces a value of the terminal, the host or a later answer of the card. */
  set(tag: string, value: Uint8Array): void {
    this.#values.set(tag, Buffer.from(value));
  }

  /** Takes an object that the card may give once alone. @throws KernelError card-data-invalid when it is there already */
  addFromCard(tag: string, value: Uint8Array): void {
    if (this.#fromCard.has(tag)) throw new KernelError('card-data-invalid', `the card gives ${tag} twice`);
    this.#fromCard.add(tag);
    this.set(tag, value);
  }
  readonly #fromCard = new Set<string>();

  /** Terminal verification results, tag 95; the kernel's own copy. */
  get tvr(): Uint8Array {
    return this.#tvr;
  }

  /** Sets a bit of the TVR. @param reason for people */
  markTvr(bit: Bit, reason: string): void {
    setBit(this.#tvr, bit);
    this.explain({ topic: 'tvr', bit, what: bit.name, reason });
  }

  /** Sets a bit of the TSI. @param reason for people */
  markTsi(bit: Bit, reason: string): void {
    setBit(this.#tsi, bit);
    this.explain({ topic: 'tsi', bit, what: bit.name, reason });
  }

  /** Reports a decision to the watcher, if there is one. */
  explain(decision: KernelDecision): void {
    this.#onDecision?.(decision, this);
  }

  /** Adds the content of a record to the data that the card has authenticated offline. */
  addStaticData(content: Uint8Array): void {
    this.#staticData.push(Buffer.from(content));
  }
  readonly #staticData: Uint8Array[] = [];

  /** The data that the card has authenticated offline, in the order of its records (EMV Book 3 §10.3). */
  get staticData(): Buffer {
    return Buffer.concat(this.#staticData);
  }

  /** Takes the data of a command that a combined signature covers: processing options, GENERATE AC. */
  addSignedInput(values: Uint8Array): void {
    this.#signedInputs.push(Buffer.from(values));
  }
  readonly #signedInputs: Uint8Array[] = [];

  /** Data of GET PROCESSING OPTIONS, then of each GENERATE AC. */
  get signedInputs(): readonly Uint8Array[] {
    return this.#signedInputs;
  }

  /** Key of the card, where its cryptograms are to be signed (CDA). */
  cdaKey: RsaPublicKey | undefined;

  /** The values that a list of the card requests. */
  fill(dol: Uint8Array): Buffer {
    return buildDol(dol, (tag) => this.#values.get(tag));
  }
}

/** A numeric object (format n) as a number; 0 when it is not there. */
export function numericOf(value: Uint8Array | undefined): number {
  return value === undefined ? 0 : Number(Buffer.from(value).toString('hex'));
}
