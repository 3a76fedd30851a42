import type { ForwardProjection } from '../journal/forward-projection.js';
import type { UnconfirmedRecord } from '../journal/forward-queue.js';
import type { OfflineReadiness } from './desk.js';
import type { HighWater } from './high-water.js';
import type { Losses } from './losses.js';
import type { UnsettledSale } from './offline-exposure.js';
import type { OfflinePolicy } from './offline-policy.js';
import { type OfflineSituation, offlineReadiness } from './offline-rules.js';
import type { SaleBook } from './sale-book.js';
import type { TerminalLane } from './terminal-lane.js';

/** Where the parts of a situation come from. */
export interface StandingPorts {
  readonly policy: OfflinePolicy;
  readonly projection: ForwardProjection;
  readonly book: SaleBook;
  readonly losses: Losses;
  readonly time: HighWater;
  readonly lanes: ReadonlyMap<string, TerminalLane>;
  /** The journal takes writes, and nothing keeps approvals without the gateway away. */
  journalReady(): boolean;
}

/** How things stand for sales without the gateway, gathered at the moment of asking for the rules to judge. */
export class OfflineStanding {
  readonly #ports: StandingPorts;

  constructor(ports: StandingPorts) {
    this.#ports = ports;
  }

  /** Everything taken without the gateway that nobody has confirmed: on disk, on its way there, and lost. */
  unsettled(): readonly UnsettledSale[] {
    const { projection, book, losses } = this.#ports;
    const recorded = projection.unconfirmed().flatMap(recordedSale);
    const claims = book.present().flatMap(({ claim }) => (claim ? [claim] : []));
    return [...recorded, ...claims, ...losses.unsettled()];
  }

  /** `deciding`: the sale whose own claims do not stand in its way. */
  situation(terminalId: string, deciding?: string): OfflineSituation {
    const { policy, time, journalReady } = this.#ports;
    return {
      policy,
      terminalId,
      journalReady: journalReady(),
      clockBehind: time.isBehind(),
      contactAgeMs: time.contactAgeMs(),
      unsettled: this.unsettled().filter(({ reference }) => reference !== deciding),
    };
  }

  /** Whether the terminal could sell without the gateway right now, and because of what not. */
  readiness(terminalId: string): OfflineReadiness {
    const lane = this.#ports.lanes.get(terminalId);
    return offlineReadiness(this.situation(terminalId), lane ? lane.problem : 'terminal-not-ready');
  }
}

function recordedSale({ item, fingerprint }: UnconfirmedRecord): UnsettledSale[] {
  const { reference, terminalId, amount, approval = 'card-approved', state } = item;
  if (!amount) return [];
  const sale = { reference, terminalId, ...amount, approval, state };
  return [fingerprint === undefined ? sale : { ...sale, fingerprint }];
}
