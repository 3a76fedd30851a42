import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import type {
  CompleteOutcome,
  OnlineResult,
  StartOutcome,
  TerminalCondition,
  TerminalDriver,
} from '../../drivers/core/driver.js';

/** Cryptogram information data (tag 9F27): what the card asks for first, and what it ends with. */
const ARQC = '80';
const TC = '40';
const AAC = '00';

/** The data of a made-up card: its cryptogram is none. */
function iccData(cryptogram: string): Uint8Array {
  const tags = { '9F26': '0000000000000000', '9F27': cryptogram, '9F36': '0001', '95': '0000000000' };
  return encodeTlv(Object.entries(tags).map(([tag, hex]) => tlv(tag, Buffer.from(hex, 'hex'))));
}

/** A terminal without a device: its card follows each answer. */
export class RehearsalTerminal implements TerminalDriver {
  readonly state = 'ready';
  readonly identity = { maker: 'tillbridge', model: 'rehearsal', firmware: '1', serial: '0' };

  async start(): Promise<StartOutcome> {
    const facts = { entryMode: 'ICC', bin: '000000', last4Digits: '0000', label: 'REHEARSAL' } as const;
    return { kind: 'online-required', card: { facts, iccData: iccData(ARQC) } };
  }

  async complete({ kind }: OnlineResult): Promise<CompleteOutcome> {
    return kind === 'approved'
      ? { kind: 'approved', iccData: iccData(TC) }
      : { kind: 'declined', iccData: iccData(AAC) };
  }

  async cancel(): Promise<void> {}

  async finish(): Promise<void> {}

  async status(): Promise<TerminalCondition> {
    return { kind: 'condition', identity: this.identity, keys: { data: 'loaded', pin: 'loaded' } };
  }

  onState(): () => void {
    return () => undefined;
  }

  async close(): Promise<void> {}
}
