import type { DriverFailure } from '@tillbridge/agent/drivers/core/driver.js';
import type { LineFault } from '@tillbridge/agent/drivers/open-terminal.js';
import type { DownReason } from '@tillbridge/agent/uplink/connection-machine.js';
import type { TextKey } from './en.js';

/** What staff does about a fault, and the words for the customer. */
type FaultWords = readonly [todo: TextKey, tell: TextKey];

const UNPLUGGED: FaultWords = ['doPlug', 'tellMoment'];
const STUCK: FaultWords = ['doRestart', 'tellOutOfOrder'];
const OUT_OF_USE: FaultWords = ['doOutOfUse', 'tellOutOfOrder'];
const OTHER_CARD: FaultWords = ['doOtherCard', 'tellOtherCard'];
const UNREAD: FaultWords = ['doTryCard', 'tellInsertAgain'];
const NO_LINK: FaultWords = ['doNetwork', 'tellOtherWay'];
const LINK_WAITS: FaultWords = ['doLinkWait', 'tellOtherWay'];
const LINK_REFUSED: FaultWords = ['doSupport', 'tellOtherWay'];
const REFUSED: FaultWords = ['doRefused', 'tellOnceMore'];

/** Every fault that a cashier may meet, by where it is; the codes are those of the agent's error tables and answers. */
export const FAULTS = {
  /** `fault` of a terminal: nothing can be sold on its line. */
  line: {
    lost: UNPLUGGED,
    missing: UNPLUGGED,
    other: UNPLUGGED,
    permission: ['doPort', 'tellOutOfOrder'],
    library: ['doPort', 'tellOutOfOrder'],
    busy: ['doFreePort', 'tellOutOfOrder'],
    'wrong-device': ['doRightDevice', 'tellOutOfOrder'],
  },
  /** `failure` of a sale: what the terminal could not do. */
  terminal: {
    'terminal-gone': UNPLUGGED,
    'terminal-silent': STUCK,
    'protocol-error': STUCK,
    'terminal-busy': ['doWait', 'tellMoment'],
    'card-removed': ['doLeaveIn', 'tellInsertAgain'],
    'card-error': UNREAD,
    'data-too-long': UNREAD,
    'card-blocked': OTHER_CARD,
    'card-expired': OTHER_CARD,
    'application-not-supported': OTHER_CARD,
    'key-missing': OUT_OF_USE,
    'key-exhausted': OUT_OF_USE,
    tampered: OUT_OF_USE,
    'wrong-device': ['doRightDevice', 'tellOutOfOrder'],
    internal: ['doAgain', 'tellOnceMore'],
  },
  /** `reason` of a sale that failed. */
  sale: {
    'terminal-failed': STUCK,
    'gateway-unreachable': ['doNoLink', 'tellOtherWay'],
    'offline-not-allowed': ['doNoLink', 'tellOtherWay'],
    'no-answer': ['doNoAnswer', 'tellOnceMore'],
    'card-timeout': ['doPresentCard', 'tellPresent'],
    'agent-restarted': ['doAgentBack', 'tellOnceMore'],
    'journal-unavailable': ['doDisk', 'tellOtherWay'],
    'refused-by-gateway': REFUSED,
    'amount-differs': REFUSED,
  },
  /** Why there is no session with the gateway. */
  link: {
    unreachable: NO_LINK,
    'connection-lost': NO_LINK,
    silent: NO_LINK,
    unacknowledged: NO_LINK,
    'handshake-timeout': NO_LINK,
    'not-started': LINK_WAITS,
    'going-down': LINK_WAITS,
    overloaded: LINK_WAITS,
    'turn-later': LINK_WAITS,
    stopped: LINK_WAITS,
    'protocol-error': LINK_REFUSED,
    unauthenticated: LINK_REFUSED,
    'gateway-unproven': LINK_REFUSED,
    'generation-not-allowed': LINK_REFUSED,
    'version-mismatch': LINK_REFUSED,
    superseded: LINK_REFUSED,
    fenced: LINK_REFUSED,
  },
  /** The agent refuses a call; codes without a row have a message that says it. */
  call: {
    'terminal-busy': ['doWait', 'tellMoment'],
    'unknown-terminal': ['doAgain', 'tellMoment'],
    'not-allowed': ['doState', 'tellMoment'],
    'outside-policy': ['doPolicy', 'tellOtherWay'],
    'reference-conflict': ['doNewReference', 'tellMoment'],
    'journal-unavailable': ['doDisk', 'tellOtherWay'],
    closing: ['doAgain', 'tellMoment'],
    'not-authorized': ['doRight', 'tellMoment'],
    'pin-needed': ['doPin', 'tellMoment'],
    internal: ['doAgain', 'tellOnceMore'],
  },
} as const satisfies {
  readonly line: Readonly<Record<LineFault['code'], FaultWords>>;
  readonly terminal: Readonly<Record<DriverFailure, FaultWords>>;
  readonly sale: Readonly<Record<string, FaultWords>>;
  readonly link: Readonly<Record<DownReason, FaultWords>>;
  readonly call: Readonly<Record<string, FaultWords>>;
};

/** The words of a code of one place; undefined for a code without. */
export function faultWords(place: keyof typeof FAULTS, code: string | undefined): FaultWords | undefined {
  const rows: Readonly<Record<string, FaultWords>> = FAULTS[place];
  return code !== undefined && Object.hasOwn(rows, code) ? rows[code] : undefined;
}

/** The words of a sale that came to nothing by a fault; undefined where it ended in another way. */
export function saleFault({
  state,
  outcome,
  reason,
  failure,
}: {
  readonly state: string;
  readonly outcome: string | null;
  readonly reason?: string;
  readonly failure?: string;
}): FaultWords | undefined {
  if (state !== 'done' || outcome !== 'failed') return undefined;
  return faultWords('terminal', failure) ?? faultWords('sale', reason);
}
