import { decodeTlv, TlvError, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';

const PURCHASE = 0x00;
const CASHBACK = 0x09;

/** Amounts and type of a transaction as GCX and GOX name them. */
interface NamedTransaction {
  readonly amountMinor: number;
  readonly cashbackMinor: number;
  /** Tag 9C. */
  readonly transactionType: number;
}

/** Reads amounts and type; the type follows from the cashback where it is not named (ABECS 2.12 §3.7.1). */
export function readNamedTransaction(fields: FieldReader): NamedTransaction {
  const amountMinor = Number(fields.text('SPE_AMOUNT') ?? '0');
  const cashbackMinor = Number(fields.text('SPE_CASHBACK') ?? '0');
  const named = fields.bytes('SPE_TRNTYPE')?.[0];
  return { amountMinor, cashbackMinor, transactionType: named ?? (cashbackMinor > 0 ? CASHBACK : PURCHASE) };
}

/** Objects of SPE_EMVDATA. @throws TerminalFormatError when they are no BER-TLV */
export function readEmvData(fields: FieldReader): readonly TlvNode[] {
  const bytes = fields.bytes('SPE_EMVDATA');
  if (bytes === undefined) return [];
  try {
    return decodeTlv(bytes);
  } catch (error) {
    if (error instanceof TlvError) throw new TerminalFormatError('SPE_EMVDATA', 'must be BER-TLV');
    throw error;
  }
}

/** Whether an option field has `1` at a place, counted from 0. */
export function option(text: string | undefined, at: number): boolean {
  return text?.[at] === '1';
}
