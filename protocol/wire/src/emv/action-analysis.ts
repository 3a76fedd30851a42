/** Five bytes each, in the layout of the TVR (EMV Book 3 §10.7). */
export interface ActionCodes {
  readonly denial: Uint8Array;
  readonly online: Uint8Array;
  readonly default: Uint8Array;
}

/** The issuer's codes (tags 9F0E, 9F0F, 9F0D); what the card does not have takes the default of the standard. */
export type IssuerActionCodes = Partial<ActionCodes>;

/** What the terminal can do about going online. */
type OnlineAbility = 'online-capable' | 'offline-only' | 'unable-to-go-online';

/** What terminal action analysis is given. */
export interface ActionAnalysisInput {
  readonly tvr: Uint8Array;
  readonly terminal: ActionCodes;
  readonly issuer: IssuerActionCodes;
  /**
   * `online-capable`: before the first GENERATE AC; `offline-only`: a terminal that never goes online;
   * `unable-to-go-online`: the host could not be reached after an ARQC.
   */
  readonly ability: OnlineAbility;
}

/** The cryptogram that the terminal requests. */
export type RequestedCryptogram = 'AAC' | 'ARQC' | 'TC';

/** The decision and what made it. */
export interface ActionAnalysis {
  readonly request: RequestedCryptogram;
  /** Which pair of codes decided; `none` when no bit of any matched. */
  readonly matched: 'denial' | 'online' | 'default' | 'none';
  /** The TVR bits that matched, 5 bytes; its bits are in `TVR`. */
  readonly reasons: Uint8Array;
  /** Authorisation response code (tag 8A) of a decision made without the host, ASCII; `undefined` while the ARQC decides. */
  readonly responseCode: 'Z1' | 'Y1' | 'Z3' | 'Y3' | undefined;
}

const ACTION_CODE_BYTES = 5;
/** Issuer action codes that a card lacks: online and default all ones, denial all zeros (EMV Book 3 §10.7). */
const MISSING: ActionCodes = {
  denial: new Uint8Array(ACTION_CODE_BYTES),
  online: new Uint8Array(ACTION_CODE_BYTES).fill(0xff),
  default: new Uint8Array(ACTION_CODE_BYTES).fill(0xff),
};

/**
 * Decides which cryptogram to ask the card for (EMV Book 3 §10.7): denial codes first, then the online codes of a terminal that can go online,
 * else the default codes. After a failed attempt to go online the default codes alone decide, and the answer is never an ARQC.
 */
export function terminalActionAnalysis(input: ActionAnalysisInput): ActionAnalysis {
  const { ability } = input;
  if (ability === 'unable-to-go-online') return byDefaultCodes(input, 'Z3', 'Y3');
  const denial = matching(input, 'denial');
  if (isAny(denial)) return { request: 'AAC', matched: 'denial', reasons: denial, responseCode: 'Z1' };
  if (ability === 'offline-only') return byDefaultCodes(input, 'Z1', 'Y1');
  const online = matching(input, 'online');
  if (isAny(online)) return { request: 'ARQC', matched: 'online', reasons: online, responseCode: undefined };
  return { request: 'TC', matched: 'none', reasons: online, responseCode: 'Y1' };
}

function byDefaultCodes(
  input: ActionAnalysisInput,
  declined: 'Z1' | 'Z3',
  approved: 'Y1' | 'Y3',
): ActionAnalysis {
  const reasons = matching(input, 'default');
  return isAny(reasons)
    ? { request: 'AAC', matched: 'default', reasons, responseCode: declined }
    : { request: 'TC', matched: 'none', reasons, responseCode: approved };
}

/** TVR bits that the terminal's or the issuer's codes of one kind ask about. */
function matching(input: ActionAnalysisInput, kind: keyof ActionCodes): Uint8Array {
  const terminal = input.terminal[kind];
  const issuer = input.issuer[kind] ?? MISSING[kind];
  return Uint8Array.from(
    { length: ACTION_CODE_BYTES },
    (_, i) => (input.tvr[i] ?? 0) & ((terminal[i] ?? 0) | (issuer[i] ?? 0)),
  );
}

function isAny(bits: Uint8Array): boolean {
  return bits.some((byte) => byte !== 0);
}
