import { TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { findTlv } from '@tillbridge/wire/emv/tlv.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { INS, SW } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { exchange, readObjects } from './card-reader.js';
import type { RiskInputs } from './terminal-parameters.js';
import { numericOf, type TransactionData } from './transaction-data.js';

/** Floor limit, random selection and velocity (EMV Book 3 §10.6). */
export async function manageTerminalRisk(
  card: Card,
  data: TransactionData,
  risk: RiskInputs,
  random: Random,
): Promise<void> {
  const amountMinor = numericOf(data.get('9F02'));
  if (amountMinor >= risk.floorLimitMinor)
    data.markTvr(
      TVR.floorLimitExceeded,
      `amount ${amountMinor} is not below the floor limit ${risk.floorLimitMinor} (minor units)`,
    );
  else if (selectedAtRandom(amountMinor, risk, random))
    data.markTvr(TVR.randomlySelectedOnline, `drawn, with a target of ${risk.targetPercent} %`);
  await checkVelocity(card, data);
  data.markTsi(
    TSI.terminalRiskManagementPerformed,
    'floor limit, random selection and velocity were looked at',
  );
}

/** Percentage from 1 to 99, evenly spread: bytes above a multiple of 99 are drawn again. */
function randomPercent(random: Random): number {
  for (;;) {
    const byte = random.bytes(1)[0] ?? 0;
    if (byte < 198) return (byte % 99) + 1;
  }
}

/** Below the threshold by the target percentage, above it rising evenly to the maximum at the floor limit. */
function selectedAtRandom(amountMinor: number, risk: RiskInputs, random: Random): boolean {
  const { thresholdMinor, floorLimitMinor, targetPercent, maxTargetPercent } = risk;
  const factor =
    amountMinor < thresholdMinor ? 0 : (amountMinor - thresholdMinor) / (floorLimitMinor - thresholdMinor);
  const percent = targetPercent + (maxTargetPercent - targetPercent) * factor;
  return percent > 0 && randomPercent(random) <= percent;
}

/** Transactions in a row without the issuer, by the card's counters, against the limits that the card names. */
async function checkVelocity(card: Card, data: TransactionData): Promise<void> {
  const lower = data.get('9F14')?.[0];
  const upper = data.get('9F23')?.[0];
  if (lower === undefined || upper === undefined) return;
  const atc = await counter(card, '9F36');
  const lastOnline = await counter(card, '9F13');
  if (lastOnline === 0) data.markTvr(TVR.newCard, 'no transaction of the card was online (9F13 is 0)');
  if (atc === undefined || lastOnline === undefined) {
    const reason = 'the card does not tell its counters';
    data.markTvr(TVR.lowerConsecutiveOfflineLimitExceeded, reason);
    data.markTvr(TVR.upperConsecutiveOfflineLimitExceeded, reason);
    return;
  }
  const inRow = atc - lastOnline;
  const reason = (limit: number) => `${inRow} transactions in a row without the issuer, ${limit} allowed`;
  if (inRow > lower) data.markTvr(TVR.lowerConsecutiveOfflineLimitExceeded, reason(lower));
  if (inRow > upper) data.markTvr(TVR.upperConsecutiveOfflineLimitExceeded, reason(upper));
}

async function counter(card: Card, tag: '9F36' | '9F13'): Promise<number | undefined> {
  const [p1 = 0, p2 = 0] = Buffer.from(tag, 'hex');
  const answer = await exchange(card, { cla: 0x80, ins: INS.getData, p1, p2 });
  const value = answer.sw === SW.ok ? findTlv(readObjects(answer.data, 'a counter'), tag) : undefined;
  return value?.length === 2 ? Buffer.from(value).readUInt16BE() : undefined;
}
