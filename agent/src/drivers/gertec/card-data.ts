import { wipe } from '@tillbridge/wire/bytes.js';
import { ACCOUNT_DATA_BLOCK, GERTEC_PPC930_PROFILE } from '@tillbridge/wire/terminals/abecs/account-data.js';
import { decodeClassicResponse, displayMessage } from '@tillbridge/wire/terminals/abecs/classic.js';
import type { FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { keyIndexText } from '@tillbridge/wire/terminals/abecs/key-map.js';
import type { PinEntry } from '../core/card-data.js';
import type { Enciphered } from '../core/driver.js';
import { andThen, attempt, failed, hasEnded, type Result } from '../core/result.js';
import { displayAmount } from './display-text.js';
import { PIN_HANDLING_MS } from './limits.js';
import { answerOf, answerOrEnd } from './replies.js';
import type { SaleContext } from './transaction-request.js';

const TRACK_2_ONLY = '0010';
const PAN_ONLY = '1000';

/** DUKPT:TDES, for GPN and GOX (SPE_MTHDPIN). */
export const PIN_METHOD = '3';
const MIN_PIN = '04';
const MAX_PIN = '12';

function enciphered(data: Buffer | undefined, ksn: Buffer | undefined): Result<Enciphered> {
  if (!data || data.length === 0)
    return failed('card-error', 'GTK: the terminal has neither track 2 nor the PAN');
  if (!ksn || data.length % ACCOUNT_DATA_BLOCK !== 0) {
    // Without a KSN the device may have answered in clear: forget it at once.
    wipe(data);
    return failed('protocol-error', 'GTK: the card data is not enciphered as requested');
  }
  return { data, ksn };
}

function readTracks(fields: FieldReader, hasTrack2: boolean): Result<Enciphered> {
  return hasTrack2
    ? enciphered(fields.bytes('PP_TRACK2'), fields.bytes('PP_TRK2KSN'))
    : enciphered(fields.bytes('PP_ENCPAN'), fields.bytes('PP_ENCPANKSN'));
}

/**
 * Track 2, or the PAN of a chip without one, enciphered under the DUKPT data key (GTK, once per card). One field alone:
 * each field takes its own KSN in CBC (ABECS 2.12 §6.3.4.2), and `pos.encryptedSred` has one.
 */
export async function encipherCard(ctx: SaleContext, hasTrack2: boolean): Promise<Result<Enciphered>> {
  const reply = await ctx.link.abecs('GTK', {
    SPE_TRACKS: hasTrack2 ? TRACK_2_ONLY : PAN_ONLY,
    SPE_MTHDDAT: GERTEC_PPC930_PROFILE.method,
    SPE_KEYIDX: keyIndexText(ctx.config.dataKeyIndex),
  });
  return andThen(answerOf('GTK', reply), ({ fields }) => attempt('GTK', () => readTracks(fields, hasTrack2)));
}

/** The online PIN of a swiped card (GPN). Before GTK: afterwards the device has forgotten the PAN (§3.3.11). */
export async function captureMagstripePin(ctx: SaleContext): Promise<PinEntry> {
  ctx.hooks.progress({ step: 'pin-entry' });
  const reply = await ctx.link.classic(
    'GPN',
    {
      GPN_METHOD: PIN_METHOD,
      GPN_KEYIDX: keyIndexText(ctx.config.pinKeyIndex),
      GPN_WKENC: '',
      GPN_PANLEN: '00',
      GPN_PAN: '',
      GPN_ENTRIES: '1',
      GPN_MIN1: MIN_PIN,
      GPN_MAX1: MAX_PIN,
      GPN_MSG1: displayMessage(displayAmount(ctx.request.amount), ctx.config.pinPrompt),
    },
    PIN_HANDLING_MS,
  );
  const answer = answerOrEnd('GPN', reply);
  if (hasEnded(answer)) return answer;
  return attempt('GPN', () => {
    const { GPN_PINBLK, GPN_KSN } = decodeClassicResponse('GPN', answer.blocks);
    const pin = { data: Buffer.from(GPN_PINBLK, 'hex'), ksn: Buffer.from(GPN_KSN, 'hex') };
    return { kind: 'pin' as const, pin };
  });
}
