import type { ForwardProjection } from '../../journal/forward-projection.js';
import type { UnconfirmedRecord } from '../../journal/forward-queue.js';
import type { UnforwardedSale } from '../offline/offline-exposure.js';
import type { OfflineReadiness } from '../offline/offline-reasons.js';
import { type OfflineSituation, offlineReadiness } from '../offline/offline-rules.js';
import type { TimeFloor } from '../offline/time-floor.js';
import type { PolicyInForce } from '../policy/policy-in-force.js';
import type { LateDeclines } from './late-declines.js';
import type { SaleRegistry } from './sale-registry.js';
import type { TerminalExecutor } from './terminal-executor.js';

/** Where the parts of a situation come from. */
interface StandingPorts {
  readonly projection: ForwardProjection;
  readonly registry: Pick<SaleRegistry, 'present'>;
  readonly lateDeclines: LateDeclines;
  readonly time: Pick<TimeFloor, 'isBehind' | 'contactAgeMs'>;
  readonly executors: ReadonlyMap<string, TerminalExecutor>;
  policy(): PolicyInForce;
  /** The journal takes writes, and nothing keeps approvals without the gateway away. */
  journalReady(): boolean;
}

/** How things stand for sales without the gateway, gathered at the moment of asking for the rules to judge. */
export class OfflineStanding {
  readonly #ports: StandingPorts;

  constructor(ports: StandingPorts) {
    this.#ports = ports;
  }

  /** Every unconfirmed sale approved without the gateway: on disk, being written, and lost. */
  unforwarded(): readonly UnforwardedSale[] {
    const { projection, registry, lateDeclines } = this.#ports;
    const recorded = projection.unconfirmed().flatMap(recordedSale);
    const claims = registry.present().flatMap(({ claim }) => (claim ? [claim] : []));
    return [...recorded, ...claims, ...lateDeclines.unforwarded()];
  }

  /** `deciding`: the sale whose own claims do not stand in its way. */
  situation(terminalId: string, deciding?: string): OfflineSituation {
    const { time, journalReady } = this.#ports;
    const { policy, version } = this.#ports.policy();
    return {
      policy: policy.offline,
      policyUnknown: version === undefined,
      terminalId,
      journalReady: journalReady(),
      clockBehind: time.isBehind(),
      contactAgeMs: time.contactAgeMs(),
      unforwarded: this.unforwarded().filter(({ reference }) => reference !== deciding),
    };
  }

  /** Whether the terminal could sell without the gateway right now, and because of what not. */
  readiness(terminalId: string): OfflineReadiness {
    const executor = this.#ports.executors.get(terminalId);
    return offlineReadiness(this.situation(terminalId), executor ? executor.problem : 'terminal-not-ready');
  }
}

function recordedSale({ item, fingerprint }: UnconfirmedRecord): UnforwardedSale[] {
  const { reference, terminalId, amount, approval = 'card-approved', state } = item;
  if (!amount) return [];
  const sale = { reference, terminalId, ...amount, approval, state };
  return [fingerprint === undefined ? sale : { ...sale, fingerprint }];
}
