import { encipheredTrack2 } from '@tillbridge/gateway/security/module/card-example.test.support.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { advanceKsn } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { HOSTILE } from '../parts/seed-store.js';
import { accountKsnOf } from '../parts/simulated-terminals.js';

const [FORGES, CLONES, TRAVELS] = HOSTILE.counter.numbers;

/** What each terminal of the hostile merchant is for: failures lock one and leave the others. */
const TERMINALS = { forges: FORGES, clones: CLONES, travels: TRAVELS } as const;

/** The hostile merchant's terminals without an agent: they encipher what it wants under its own keys. */
export class CounterTerminals {
  readonly #ksns = new Map<string, Uint8Array>();

  /** Track 2 under the next KSN of a terminal. */
  encipher(terminal: keyof typeof TERMINALS, track2: string): ReturnType<typeof encipheredTrack2> {
    const ksn = advanceKsn(this.#ksns.get(terminal) ?? fromHex(accountKsnOf(TERMINALS[terminal])));
    this.#ksns.set(terminal, ksn);
    return encipheredTrack2(track2, ksn);
  }
}
