import { readIfThere } from '@tillbridge/platform/read-file.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { equalConstantTime, toHex } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { iso9797Algorithm1, retailMac, tdesCmac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { tdesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { isKsnOf, ksnAt } from '@tillbridge/wire/crypto/dukpt/ksn-sequence.js';
import { wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { decipherPin } from '@tillbridge/wire/crypto/pin/pin-translation.js';
import type { ExchangeMessage, ExchangeTexts } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { writeZoneKey, type ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { dukptMac, isDukptMac, type MacKey } from './dukpt-mac.js';
import type { HostMacMethod, KeyForm } from './key-names.js';
import {
  firstKeySet,
  type HostKeySet,
  keySetText,
  newTdesKey,
  readKeySet,
  type ZoneKeyState,
} from './key-set.js';

/** How long a key that was replaced is still accepted, in milliseconds. */
export const KEY_OVERLAP_MS = 10 * 60_000;
/** What keys work with. */
interface HostKeysDeps {
  /** Codes by DUKPT: the key set, ten hex digits of TDES or eight of AES. Absent: under the zone MAC key. */
  readonly macKeySet?: string;
  /** How codes are made under the zone MAC key; algorithm 3 when absent. */
  readonly macMethod?: HostMacMethod;
  /** Keeps what they are now, for good on return. */
  readonly save: (keys: HostKeySet) => void;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** A message that does not identify the key of its MAC. */
const SHARED: MacKey = { isResponse: false };

/** A method of codes: how it makes one, and the usage of its keys in the header of a key block (X9.143). */
interface CodeMethod {
  readonly usage: string;
  readonly codeOf: (key: Uint8Array, covered: Uint8Array) => Buffer;
}

const CODE_METHODS: Readonly<Record<HostMacMethod, CodeMethod>> = {
  iso9797Algorithm1: { usage: 'M0', codeOf: (...parts) => iso9797Algorithm1(...parts, 'iso9797Method1') },
  iso9797Algorithm3: { usage: 'M3', codeOf: (...parts) => retailMac(...parts, 'iso9797Method1') },
  cmac: { usage: 'M6', codeOf: tdesCmac },
};

/**
 * The keys of a host. A new key is offered until the gateway uses it: only then it takes the place of the old one, which is accepted for a while. So
 * an answer with a key may be lost, or come twice.
 */
export class HostKeys {
  readonly #deps: HostKeysDeps;
  readonly #method: CodeMethod;
  #keys: HostKeySet;

  constructor(deps: HostKeysDeps, keys: HostKeySet) {
    this.#deps = deps;
    this.#method = CODE_METHODS[deps.macMethod ?? 'iso9797Algorithm3'];
    this.#keys = keys;
  }

  /**
   * Opens the keys of a file of mode 0600; at the first start it is made with the keys of this process.
   * @throws the file system's error; SyntaxError
   */
  static open(file: string, parts: Omit<HostKeysDeps, 'save'>): HostKeys {
    const save = (keys: HostKeySet) => replaceFile(file, keySetText(keys));
    const known = readIfThere(file);
    if (known) return new HostKeys({ ...parts, save }, readKeySet(known.toString('utf8')));
    const first = firstKeySet();
    save(first);
    return new HostKeys({ ...parts, save }, first);
  }

  /** Completes a message that is about to be sent with the key of its MAC: an answer has the key of its request. */
  prepare(message: ExchangeMessage): ExchangeMessage {
    const { macKeySet } = this.#deps;
    if (macKeySet === undefined || message.isResponse) return message;
    const sequence = this.#keys.nextKsn ?? 0;
    // Saved first: no number is used twice.
    this.#write({ ...this.#keys, nextKsn: sequence + 1 });
    return { ...message, macKsn: ksnAt(macKeySet, 'host', sequence) };
  }

  /** The authentication code of a message, whole. */
  mac(covered: Uint8Array, message: MacKey = SHARED): Buffer {
    if (this.#deps.macKeySet !== undefined) return dukptMac(covered, message);
    return this.#method.codeOf(this.#keys.mac.current, covered);
  }

  /** Whether a code is right. One under the key that was offered takes that key into use. */
  isMacRight(covered: Uint8Array, mac: Uint8Array, message: MacKey = SHARED): boolean {
    const { macKeySet } = this.#deps;
    if (macKeySet !== undefined) {
      const isOurs = isKsnOf(message.macKsn, macKeySet, message.isResponse ? 'host' : 'acceptor');
      return isOurs && isDukptMac(covered, mac, message);
    }
    return (
      this.#under('mac', (key) => {
        const whole = this.#method.codeOf(key, covered).subarray(0, mac.length);
        return equalConstantTime(whole, mac) ? true : undefined;
      }) ?? false
    );
  }

  /** The PIN of a block as ASCII digits; undefined where no key opens it. One under the key that was offered takes that key into use. */
  pin(block: Uint8Array, pan: string): Buffer | undefined {
    return this.#under('pin', (key) => {
      try {
        return decipherPin({ format: 0, cipher: 'tdes', key }, block, pan);
      } catch (error) {
        if (error instanceof CryptoError) return undefined;
        throw error;
      }
    });
  }

  /** A new key for the gateway: the one that was offered before, until it is used. */
  offer(use: ZoneKeyUse, form: KeyForm): Pick<ExchangeTexts, 'keyBlock' | 'zoneKey'> {
    const { random } = this.#deps;
    const state = this.#keys[use];
    const key = state.offered ?? newTdesKey(random);
    if (!state.offered) this.#write({ ...this.#keys, [use]: { ...state, offered: key } });
    return this.#wrapped(use, key, form);
  }

  /** Takes the offered key into use, where the gateway confirms it. */
  confirm(use: ZoneKeyUse, kcv: string | undefined): boolean {
    const { current, offered } = this.#keys[use];
    // Its answer may be under the new key already, which took that into use.
    if (toHex(tdesKcv(current)) === kcv) return true;
    if (!offered || toHex(tdesKcv(offered)) !== kcv) return false;
    this.#take(use, offered);
    return true;
  }

  /** Check values of the zone keys, in use and offered. */
  checkValues() {
    const { mac, pin } = this.#keys;
    const of = ({ current, offered }: ZoneKeyState) => ({
      current: toHex(tdesKcv(current)),
      ...(offered && { offered: toHex(tdesKcv(offered)) }),
    });
    return { mac: of(mac), pin: of(pin) };
  }

  #wrapped(use: ZoneKeyUse, key: Buffer, form: KeyForm): Pick<ExchangeTexts, 'keyBlock' | 'zoneKey'> {
    const kcv = toHex(tdesKcv(key));
    const { transport, protection } = this.#keys;
    if (form === 'cryptogram')
      return { zoneKey: writeZoneKey({ use, kcv, cryptogram: tdesEncryptEcb(transport, key) }) };
    const header = { version: 'D', algorithm: 'T', keyVersion: '00', exportability: 'N' } as const;
    const inBlock =
      use === 'mac' ? { usage: this.#method.usage, mode: 'C' } : ({ usage: 'P0', mode: 'B' } as const);
    const keyBlock = wrapKeyBlock(protection, { ...header, ...inBlock, optionalBlocks: [] }, key, {
      random: (length) => this.#deps.random.bytes(length),
    });
    return { keyBlock, zoneKey: writeZoneKey({ use, kcv }) };
  }

  /** What is found under the first key that gives something: the one in use, the offered one, the one before. */
  #under<T>(use: ZoneKeyUse, find: (key: Buffer) => T | undefined): T | undefined {
    const { current, offered, previous } = this.#keys[use];
    const found = find(current);
    if (found !== undefined) return found;
    const underNew = offered && find(offered);
    if (offered && underNew !== undefined) {
      this.#take(use, offered);
      return underNew;
    }
    const isInTime = previous && previous.untilMs > this.#deps.clock.nowMs();
    return isInTime ? find(previous.key) : undefined;
  }

  #take(use: ZoneKeyUse, offered: Buffer): void {
    const untilMs = this.#deps.clock.nowMs() + KEY_OVERLAP_MS;
    const previous = { key: this.#keys[use].current, untilMs };
    this.#write({ ...this.#keys, [use]: { current: offered, previous } });
  }

  #write(keys: HostKeySet): void {
    this.#deps.save(keys);
    this.#keys = keys;
  }
}
