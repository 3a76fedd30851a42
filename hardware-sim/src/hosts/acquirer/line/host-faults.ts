import type {
  ExchangeKind,
  ExchangeMessage,
  NetworkFunction,
} from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { ScheduledFault } from '../../../faults/scheduled-fault.js';

/** What goes wrong with a message, or with its answer. */
export const HOST_FAULT_NAMES = [
  /** It is never carried out, and not answered. */
  'lost',
  /** It is carried out, and not answered. */
  'silent',
  /** The answer comes late. */
  'late',
  /** Bytes that are no message come in place of the answer. */
  'garbage',
  /** Half of the answer comes, and then nothing more: the line is cut. */
  'half-message',
  /** The answer comes twice. */
  'duplicate',
  /** The line is cut as soon as it is carried out. */
  'disconnect',
  /** It is approved though it was reversed before it came. */
  'approve-after-reversal',
] as const;

/** Name of a fault. */
export type HostFaultName = (typeof HOST_FAULT_NAMES)[number];

/** Kinds of messages that a fault can be for: all network messages, or those of one function. */
export const FAULT_KINDS = [
  ...(['authorization', 'financial', 'reversal', 'reconciliation', 'network'] as const),
  ...(['sign-on', 'sign-off', 'echo', 'key-exchange', 'cut-over'] as const),
] as const satisfies readonly (ExchangeKind | NetworkFunction)[];

/** A fault that waits for its messages. */
export interface HostFault extends ScheduledFault {
  readonly name: HostFaultName;
  /** Kind of message; without it all but network messages. */
  readonly on?: ExchangeKind | NetworkFunction;
  /** Amount of the message, in minor units; without it any. */
  readonly amountMinor?: number;
}

/** Most repetitions of a fault. */
export const MAX_HOST_FAULT_TIMES = 100_000;

/** The faults that wait. Each message is hit by one at most: the first that is for it. */
export class HostFaults {
  #faults: readonly HostFault[] = [];

  /** Those that are not over. */
  get faults(): readonly HostFault[] {
    return this.#faults;
  }

  /** Puts faults in the place of those that wait. */
  replace(faults: readonly HostFault[]): void {
    this.#faults = faults;
  }

  /** The fault that a message meets. */
  take(message: ExchangeMessage): HostFault | undefined {
    let struck: HostFault | undefined;
    this.#faults = this.#faults.flatMap((fault) => {
      if (struck || !isFor(fault, message)) return [fault];
      if (fault.skip > 0) return [{ ...fault, skip: fault.skip - 1 }];
      struck = fault;
      return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
    });
    return struck;
  }
}

function isFor({ on, amountMinor }: HostFault, { kind, network, amount }: ExchangeMessage): boolean {
  const isOfKind = on === undefined ? kind !== 'network' : on === kind || on === network;
  return isOfKind && (amountMinor === undefined || amountMinor === amount?.minor);
}
