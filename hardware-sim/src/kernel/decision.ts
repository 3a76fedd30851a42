import type { Bit } from '@tillbridge/wire/emv/bits.js';

/** One thing that the kernel decided, and why. */
export interface KernelDecision {
  /** `tvr`, `tsi`: it set a bit; `cvm`: a cardholder verification method; the others name a step of EMV Book 3 §10. */
  readonly topic:
    | 'selection'
    | 'authentication'
    | 'tvr'
    | 'tsi'
    | 'cvm'
    | 'risk'
    | 'action'
    | 'cryptogram'
    | 'issuer';
  /** The bit that was set, for `tvr` and `tsi`. */
  readonly bit?: Bit;
  readonly what: string;
  readonly reason: string;
}
