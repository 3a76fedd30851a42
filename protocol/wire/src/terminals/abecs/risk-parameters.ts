import { TerminalFormatError } from '../format-error.js';

/** Inputs of terminal risk management (SPE_TRMPAR, ABECS 2.12 §3.7.3; EMV Book 3 §10.6), amounts in minor units. */
interface RiskParameters {
  readonly floorLimitMinor: number;
  readonly targetPercent: number;
  readonly thresholdMinor: number;
  readonly maxTargetPercent: number;
}

const LENGTH = 10;
const MAX = { amount: 0xffffffff, percent: 99 } as const;

function checkRange(where: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new TerminalFormatError(where, `must be an integer from 0 to ${max}`);
  }
}

/** The 10 bytes of SPE_TRMPAR. @throws TerminalFormatError naming the input */
export function encodeRiskParameters(risk: RiskParameters): Buffer {
  checkRange('floor limit', risk.floorLimitMinor, MAX.amount);
  checkRange('target percentage', risk.targetPercent, MAX.percent);
  checkRange('random selection threshold', risk.thresholdMinor, MAX.amount);
  checkRange('maximum target percentage', risk.maxTargetPercent, MAX.percent);
  const out = Buffer.alloc(LENGTH);
  out.writeUInt32BE(risk.floorLimitMinor, 0);
  out.writeUInt8(risk.targetPercent, 4);
  out.writeUInt32BE(risk.thresholdMinor, 5);
  out.writeUInt8(risk.maxTargetPercent, 9);
  return out;
}

/** Reads SPE_TRMPAR. @throws TerminalFormatError */
export function decodeRiskParameters(bytes: Uint8Array): RiskParameters {
  if (bytes.length !== LENGTH)
    throw new TerminalFormatError('SPE_TRMPAR', `${bytes.length} bytes, exactly ${LENGTH}`);
  const data = Buffer.from(bytes);
  return {
    floorLimitMinor: data.readUInt32BE(0),
    targetPercent: data.readUInt8(4),
    thresholdMinor: data.readUInt32BE(5),
    maxTargetPercent: data.readUInt8(9),
  };
}
