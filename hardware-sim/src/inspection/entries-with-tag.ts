import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import { INS } from '../cards/core/apdu.js';
import type { ApduLog } from './apdu-log.js';
import { apduObjects } from './apdu-log.js';
import { frameObjects, type WireLog } from './wire-log.js';

/** Numbers of the entries that carry a tag. */
export interface EntriesWithTag {
  readonly frames: readonly number[];
  readonly apdus: readonly number[];
}

/** Values of format 1 (tag 80), which do not name their tags (EMV Book 3 §6.5.5.4, §6.5.8.4). */
const FORMAT_1: Readonly<Record<number, readonly string[]>> = {
  [INS.generateAc]: ['9F27', '9F36', '9F26', '9F10'],
  [INS.getProcessingOptions]: ['82', '94'],
};

/** The frames and exchanges that carry a data object, whatever template it stands in. */
export function entriesWithTag(tag: string, wire: WireLog, apdus: ApduLog): EntriesWithTag {
  const has = (nodes: readonly DescribedNode[]): boolean =>
    nodes.some((node) => node.tag === tag || has(node.children));
  return {
    frames: wire.frames.entries.filter((frame) => has(frameObjects(frame))).map(({ number }) => number),
    apdus: apdus.exchanges.entries
      .filter((apdu) => {
        const { sent, received } = apduObjects(apdu);
        const flat = received[0]?.tag === '80' ? FORMAT_1[apdu.command[1] ?? 0] : undefined;
        return flat?.includes(tag) || has(sent) || has(received);
      })
      .map(({ number }) => number),
  };
}
