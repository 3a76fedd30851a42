import { createSecretKey } from 'node:crypto';
import { HostIssuer } from '@tillbridge/hardware-sim/hosts/acquirer/issuer/issuer.js';
import { HostKeys } from '@tillbridge/hardware-sim/hosts/acquirer/keys/host-keys.js';
import { firstKeySet } from '@tillbridge/hardware-sim/hosts/acquirer/keys/key-set.js';
import { HostLedger } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/host-ledger.js';
import { MemoryHostStore } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/memory-host-store.js';
import { settlementFile } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/settlement-files.js';
import {
  HOST_FAULT_NAMES,
  type HostFault,
  HostFaults,
} from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { HostSession } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-session.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import { linkLine } from './link-line.js';

/** What the host speaks. */
export const LINK_DIALECT = DIALECTS['1987-binary'];

const LATE_SHARE = 0.06;
const FAULT_SHARE = 0.3;
const DOWN_MS = { min: 1_000, max: 40_000 } as const;
const LATEST_ANSWER_MS = 60_000;
/** A reason that neither side may ever give for a refusal. */
export const WRONG_CODE = 'a wrong authentication code';

/** What the host's machine is made of. */
interface LinkHostDeps extends TracedDeps {
  readonly breach: (text: string) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * The acquirer's host of a link, another company's machine: the real one of the simulator, on a ledger in memory. It approves what was reversed before
 * it came, as hosts may.
 */
export class LinkHost {
  readonly store = new MemoryHostStore();
  readonly keys: HostKeys;
  /** Its settlement files, by their days. */
  readonly files = new Map<string, string>();
  readonly #deps: LinkHostDeps;
  readonly #ledger: HostLedger;
  readonly #faults = new HostFaults();
  readonly #lines = new Map<BytePipe, HostSession>();
  #isUp = true;
  #isFair = false;

  constructor(deps: LinkHostDeps) {
    const { clock, random } = deps;
    this.#deps = deps;
    this.keys = new HostKeys({ save: () => undefined, clock, random }, firstKeySet());
    this.#ledger = new HostLedger({
      database: this.store,
      issuer: new HostIssuer(this.keys),
      hashKey: createSecretKey(Buffer.from(random.bytes(32))),
      clock,
      random,
    });
  }

  /** A connection to it. Rejects while it is down. */
  async connect(): Promise<BytePipe> {
    if (!this.#isUp) throw new Error('refused');
    const { clock, random, trace, breach, onFault } = this.#deps;
    const lateShare = (): number => (this.#isFair ? 0 : LATE_SHARE);
    const [near, far] = linkLine({ clock, random: random.branch(`line ${clock.monotonicMs()}`), lateShare });
    const session = new HostSession(
      {
        dialect: LINK_DIALECT,
        keys: this.keys,
        hasCodes: true,
        keyForm: () => 'tr31',
        ledger: this.#ledger,
        faults: this.#faults,
        rules: () => [],
        clock,
        cutOver: (over) => this.cutOver(over),
        onBad: (reason) => {
          trace.add('host', `refuses a message: ${reason}`);
          if (reason === WRONG_CODE) breach('the host refuses what the link has sent');
        },
        onFault,
      },
      far,
    );
    this.#lines.set(far, session);
    far.onClose(() => this.#lines.delete(far));
    return near;
  }

  /** Its current settlement day. */
  day(): Promise<string> {
    return this.store.exclusively(() => this.#ledger.day());
  }

  /** Ends the settlement day, where it is this one or none is named, and writes its file; gives the next one. */
  cutOver(over?: string): Promise<string> {
    return this.#ledger.cutOver(over, (settled) => {
      this.#deps.trace.add('host', `ends ${settled.day}`);
      this.files.set(settled.day, settlementFile(settled));
    });
  }

  /** Announces its settlement day to the link; false where no link has signed on, or answers. */
  async announceDay(): Promise<boolean> {
    const session = [...this.#lines.values()].find(({ isSignedOn }) => isSignedOn);
    const answer = await session?.ask({ network: 'cut-over', settlementDate: await this.day() });
    return answer !== undefined;
  }

  /** Something may go wrong with one of the next messages. */
  strike(): void {
    const { random } = this.#deps;
    const fault: HostFault = {
      name: random.pick(HOST_FAULT_NAMES),
      on: random.pick(['financial', 'authorization', 'reversal', 'reconciliation'] as const),
      skip: random.whole(0, 1),
      times: 1,
      delayMs: random.whole(1_000, LATEST_ANSWER_MS),
    };
    this.#set(random.chance(FAULT_SHARE) ? [fault] : []);
  }

  /** Ends without a word, and is back after a while. */
  crash(): void {
    const { clock, random, trace } = this.#deps;
    if (!this.#isUp) return;
    trace.add('host', 'down');
    this.#isUp = false;
    for (const line of [...this.#lines.keys()]) void line.close();
    clock.setTimer(random.whole(DOWN_MS.min, DOWN_MS.max), () => {
      trace.add('host', 'up');
      this.#isUp = true;
    });
  }

  /** Nothing goes wrong from now on, but that it approves what was reversed before it came. */
  endFaults(): void {
    this.#isFair = true;
    this.#set([]);
  }

  #set(faults: readonly HostFault[]): void {
    const times = Number.MAX_SAFE_INTEGER;
    this.#faults.replace([...faults, { name: 'approve-after-reversal', skip: 0, times, delayMs: 0 }]);
  }
}
