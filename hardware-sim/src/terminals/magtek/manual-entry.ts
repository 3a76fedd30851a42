import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { keyedInTrack2 } from '@tillbridge/wire/terminals/magtek/account-data.js';
import { DISPLAY_STRINGS } from '@tillbridge/wire/terminals/magtek/display-strings.js';
import { MANUAL_ENTRY_PAGES } from '@tillbridge/wire/terminals/magtek/properties.js';
import type { StartParameters } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import { CARD_TYPES, FALLBACK_INDICATORS } from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import { type CardAccount, printedAccount } from '../core/card-account.js';
import type { Presentation } from '../core/terminal-ui.js';
import type { DeviceProperties } from './device-properties.js';
import type { TransactionEnd } from './failure-outcomes.js';
import { amountLines, saleObjects } from './sale-inputs.js';
import type { TransactionDeps } from './transaction-deps.js';
import { batchObject, type CardOutput, requestObject } from './transaction-output.js';

const KEYED_IN: ReadonlySet<'manual'> = new Set(['manual']);
const WITH_CODE: ReadonlySet<number> = new Set([MANUAL_ENTRY_PAGES.expiryAndCode, MANUAL_ENTRY_PAGES.code]);

/**
 * A transaction whose card number is keyed in: what was entered goes to the host as the track of a magstripe, and the device
 * waits for no issuer.
 * @param by who touched the button for it and begins to key in at once; else the entry waits for a person
 * @param patienceMs no limit when undefined
 * @throws WaitAborted, StateError, KeyErased, CryptoError counterExhausted
 */
export async function keyIn(
  { ui, core, clock, output, tell }: TransactionDeps,
  start: StartParameters,
  by: Presentation | undefined,
  patienceMs: number | undefined,
  signal: AbortSignal,
): Promise<TransactionEnd> {
  for (let given = by; ; given = undefined) {
    ui.show([...amountLines(start), 'CARD NUMBER']);
    const keyed = given ?? (await core.awaitCard(KEYED_IN, patienceMs, signal));
    if (keyed === 'timeout') return { technology: 'none', outcome: 'timeout' };
    if (keyed === 'cancel-key') return { technology: 'none', outcome: 'cancelledByUser' };
    const account = printedAccount(keyed.definition);
    // A wrong number stays on the page until it is put right.
    if (output.properties.byte('checkKeyedIn') !== 0 && !passesLuhn(account.pan)) continue;
    ui.show([DISPLAY_STRINGS.pleaseWait.text]);
    tell('manual', 'swiped');
    const card: CardOutput = {
      cardType: CARD_TYPES.manual,
      fallback: FALLBACK_INDICATORS.none,
      account: asMagstripe(account, output.properties),
      sale: saleObjects(start, clock.nowMs()),
    };
    tell('manual', 'requestData', requestObject(output, card));
    tell('manual', 'batchData', batchObject(output, card, true));
    return { technology: 'manual', outcome: 'manualDone' };
  }
}

/** What stands for an expiry that is not requested is from public sources incomplete: the simulated device always requests it. */
function asMagstripe(
  { pan, expiry = '', printedCode }: CardAccount,
  properties: DeviceProperties,
): CardAccount {
  const hasCode = WITH_CODE.has(properties.byte('manualEntryPages')) && printedCode !== undefined;
  return { pan, expiry, track2: keyedInTrack2({ pan, expiry, ...(hasCode && { code: printedCode }) }) };
}
