import type { ForwardQueue, StreamEnvelope } from '@tillbridge/agent/journal/forward-queue.js';
import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import { OfflineKind } from '@tillbridge/wire/bridge/messages.js';
import { decodeTlv, encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { redirected } from '../mutations/redirected.js';

type OfflineEnvelope = Envelope<'offlineRecord'>;
type Body = OfflineEnvelope['body'];

/** EUR 90,000.00: more than any store may take without the gateway. */
const HUGE_MINOR = 9_000_000;
/** Of the first store. */
const FOREIGN_TERMINAL = '101';
const ARQC_CID = Buffer.from([0x80]);

/** What a hostile agent reports of a sale that the gateway did not authorize. None of them may move money. */
export const LIES: Readonly<Record<string, (body: Body) => Body>> = {
  'approved by the card, with an ARQC': (body) =>
    withTags({ ...body, kind: OfflineKind.CARD_APPROVED }, { '9F27': ARQC_CID }),
  'approved by the card, with a forged TC': (body) =>
    withTags({ ...body, kind: OfflineKind.CARD_APPROVED }, { '9F26': Buffer.alloc(8, 0x5a) }),
  'approved by a magstripe': (body) => ({
    ...body,
    kind: OfflineKind.CARD_APPROVED,
    ...(body.pos && { pos: { ...body.pos, entryMode: 'MAGSTRIPE', iccData: new Uint8Array() } }),
  }),
  'a huge amount': (body) => ({ ...body, amount: { minor: HUGE_MINOR, currency: 'EUR' } }),
  'decided in 1970': (body) => ({ ...body, decidedAtMs: 1_000 }),
  'taken at a terminal of another store': (body) => ({
    ...body,
    ...(body.pos && { pos: { ...body.pos, terminalId: FOREIGN_TERMINAL } }),
  }),
};

const ALL = Object.entries(LIES);

/**
 * The queue of a hostile agent: every offline record leaves with a lie, the same each time it is sent.
 * @param onLie called with each record and its lie
 */
export function lyingQueue(
  queue: ForwardQueue,
  onLie: (reference: string, lie: string) => void,
): ForwardQueue {
  return redirected(queue, {
    next: async (terminalId: string, after: number): Promise<StreamEnvelope | undefined> => {
      const envelope = await queue.next(terminalId, after);
      if (envelope?.kind !== 'offlineRecord') return envelope;
      const [name, lie] = ALL[Number.parseInt(envelope.id.slice(-4), 16) % ALL.length] ?? [];
      if (name === undefined || !lie) return undefined;
      onLie(envelope.body.reference, name);
      return { ...envelope, body: lie(envelope.body) };
    },
  });
}

function withTags(body: Body, values: Readonly<Record<string, Uint8Array>>): Body {
  if (!body.pos?.iccData.length) return body;
  const nodes = decodeTlv(body.pos.iccData).map((node) => {
    const value = values[node.tag];
    return value ? tlv(node.tag, value) : node;
  });
  return { ...body, pos: { ...body.pos, iccData: encodeTlv(nodes) } };
}
