import { join } from 'node:path';
import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { BridgeError, decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import type { Envelope, GatewayPins, WireStorePolicy } from '@tillbridge/wire/bridge/messages.js';
import { isPolicyOf, storePolicyOf } from '@tillbridge/wire/bridge/store-policy.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import { outsideStreams } from './session-messages.js';
import type { Unsubscribe } from './uplink.js';

/** Name of the file in the agent's home that holds the policy of its store, as the gateway signed it. The gateway sends it with every session. */
export const STORE_POLICY_FILE = 'store-policy.bin';

/** Where the policy is kept over restarts. */
interface PolicyStorage {
  /** What was kept; undefined where nothing was. */
  read(): Uint8Array | undefined;
  /** Replaces it in one step. */
  write(bytes: Uint8Array): void;
}

/** The policy that the gateway has signed for this agent's store, to look at. */
export interface StorePolicySource {
  /** Undefined: it is not known, or what was kept of it cannot be used. Then nothing is sold without the gateway, which sends it anew. */
  readonly policy: StorePolicy | undefined;
  /** Another policy is in force. */
  onChange(listener: () => void): Unsubscribe;
}

/** Verdict on a received policy: `foreign` is not signed for this agent by its gateway, `older` came before the one that is held. */
type PolicyVerdict = 'taken' | 'known' | 'foreign' | 'older';

/** Where the keeper reports what it takes and refuses. */
interface PolicyLog {
  info(about: object, text: string): void;
  error(about: object, text: string): void;
}

/** What the keeper works with. */
interface PolicyKeeperDeps {
  readonly agentId: string;
  /** By what the agent knows its gateway now. */
  readonly pins: () => GatewayPins;
  readonly storage: PolicyStorage;
  readonly log: PolicyLog;
}

/** Keeps the newest policy that the pinned gateway has signed for this agent. */
export class StorePolicyKeeper implements StorePolicySource {
  readonly #deps: PolicyKeeperDeps;
  readonly #changes = new Listeners<[]>();
  #held: WireStorePolicy | undefined;
  #policy: StorePolicy | undefined;

  constructor(deps: PolicyKeeperDeps) {
    this.#deps = deps;
    const kept = this.#read();
    if (kept) this.#hold(kept);
  }

  get policy(): StorePolicy | undefined {
    return this.#policy;
  }

  onChange(listener: () => void): Unsubscribe {
    return this.#changes.add(listener);
  }

  /** Takes a policy of the gateway, unless the gateway did not sign it for this agent, or it is older than the one that is held. */
  take(received: WireStorePolicy): PolicyVerdict {
    const { log } = this.#deps;
    const verdict = this.#judge(received);
    if (verdict === 'foreign')
      log.error(
        securityEvent('policy-refused'),
        'the policy of the store is not signed for this agent by its gateway',
      );
    if (verdict === 'older')
      log.error(
        { ...securityEvent('policy-refused'), version: received.version, held: this.#held?.version },
        'the gateway sent an older policy of the store than before: set it again there',
      );
    if (verdict !== 'taken') return verdict;
    this.#write(received);
    this.#hold(received);
    log.info(
      { ...securityEvent('policy-changed'), version: received.version },
      'policy of the store changed',
    );
    this.#changes.tell();
    return verdict;
  }

  #judge(received: WireStorePolicy): PolicyVerdict {
    const { agentId, pins } = this.#deps;
    if (!isPolicyOf(agentId, received, pins())) return 'foreign';
    const held = this.#held;
    if (!held || received.version > held.version) return 'taken';
    if (received.version < held.version) return 'older';
    if (JSON.stringify(storePolicyOf(received)) === JSON.stringify(this.#policy)) return 'known';
    // A gateway that was restored counts anew: of two policies of one version the one that was signed later counts.
    return received.timeMs > held.timeMs ? 'taken' : 'older';
  }

  #hold(policy: WireStorePolicy): void {
    this.#held = policy;
    this.#policy = storePolicyOf(policy);
  }

  #write(policy: WireStorePolicy): void {
    try {
      this.#deps.storage.write(encodeEnvelope(outsideStreams('kept', 'storePolicy', policy) as Envelope));
    } catch (error) {
      // In force until this process ends; the gateway sends it again to the next one.
      this.#deps.log.error({ err: error }, 'policy of the store not kept');
    }
  }

  #read(): WireStorePolicy | undefined {
    const { agentId, pins, storage, log } = this.#deps;
    try {
      const bytes = storage.read();
      if (!bytes) return undefined;
      const { kind, body } = decodeEnvelope(bytes);
      if (kind === 'storePolicy' && isPolicyOf(agentId, body, pins())) return body;
      log.error(
        securityEvent('policy-refused'),
        'the kept policy of the store is not signed for this agent by its gateway',
      );
    } catch (error) {
      const isOurs = error instanceof BridgeError || (error instanceof Error && 'code' in error);
      if (!isOurs) throw error;
      log.error({ err: error }, 'the kept policy of the store cannot be read');
    }
    return undefined;
  }
}

/** The file of a home that keeps the policy. */
export function filePolicy(home: string): PolicyStorage {
  const path = join(home, STORE_POLICY_FILE);
  return { read: () => readIfThere(path), write: (bytes) => replaceFile(path, bytes) };
}
